//! A position: boards, pieces and stacks after a number of steps of a log.

use std::collections::{BTreeMap, HashMap};

use super::board::{self, BoardHex, Laid};
use super::piece::{MapPosition, Piece, Visibility, members};
use super::sequence::{each, split};
use engine::text::Fault;

/// The names of the main map in VASSAL, current and old.
const MAPS: [&str; 2] = ["Main Map", "Map0"];
/// The maximum number of pieces in a save; large campaigns have some thousands.
const MOST_PIECES: usize = 100_000;

/// The scenario in a save. Fields that were never filled in are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedScenario {
    pub moves_first: String,
    pub player_to_move: String,
    pub turn: String,
    pub axis_elr: String,
    pub axis_san: String,
    pub allied_elr: String,
    pub allied_san: String,
}

impl SavedScenario {
    fn read(text: &str) -> SavedScenario {
        let mut fields = split(text, '\t');
        let mut next = || {
            let field = fields.next().unwrap_or_default().trim().to_string();
            if field == "?" { String::new() } else { field }
        };
        SavedScenario {
            moves_first: next(),
            player_to_move: next(),
            turn: next(),
            axis_elr: next(),
            axis_san: next(),
            allied_elr: next(),
            allied_san: next(),
        }
    }
}

/// A piece that is parsed only on demand.
#[derive(Clone, Debug)]
struct Raw {
    kind: String,
    state: String,
    /// The position to which the piece moved since its state was written.
    moved: Option<MapPosition>,
}

/// The whole game at one moment.
#[derive(Clone, Debug, Default)]
pub struct Position {
    pub boards: Vec<Laid>,
    pub scenario: SavedScenario,
    /// The extensions with their versions.
    pub extensions: BTreeMap<String, String>,
    /// The number of executed steps of the log.
    pub steps: usize,
    pieces: HashMap<String, Raw>,
    order: Vec<String>,
    /// The members of each stack, from the bottom up, by the name of the stack.
    stacks: BTreeMap<String, Vec<String>>,
}

/// A piece after the index of its stack and its height in the stack.
type Ordered = ((usize, usize), Piece);

/// The pieces on one hex, from the bottom up.
#[derive(Clone, Debug)]
pub struct Heap {
    /// The hex; `None` if the pieces lie off the boards.
    pub place: Option<BoardHex>,
    pub pieces: Vec<Piece>,
    /// The number of the stack of each piece.
    stacks: Vec<usize>,
}

impl Position {
    /// Reads the position after a number of steps of the log, or after all steps.
    ///
    /// # Errors
    ///
    /// Fails if commands are nested too deeply or if there are too many pieces.
    pub fn read(text: &str, steps: Option<usize>) -> Result<Position, Fault> {
        let mut position = Position::default();
        let mut full = false;
        each(text, &mut |command, is_logged| {
            if is_logged && steps.is_some_and(|steps| position.steps >= steps) {
                return;
            }
            position.steps += usize::from(is_logged);
            position.carry_out(command);
            full |= position.pieces.len() > MOST_PIECES;
        })?;
        match full {
            true => Err(Fault::new(format!("more than {MOST_PIECES} pieces"), 0..0)),
            false => Ok(position),
        }
    }

    /// Executes a command, if it affects the position. Missing fields are empty.
    fn carry_out(&mut self, command: &str) {
        let fields = |text, between| {
            let mut fields = split(text, between);
            move || fields.next().unwrap_or_default().into_owned()
        };
        match command.split_once('\t') {
            Some(("bd", record)) => {
                let boards = board::read(record);
                if !boards.is_empty() {
                    self.boards = boards;
                }
                return;
            }
            Some(("INFO", text)) => return self.scenario = SavedScenario::read(text),
            Some(("EXT", rest)) => {
                let mut field = fields(rest, '\t');
                return drop(self.extensions.insert(field(), field()));
            }
            _ => {}
        }
        let Some((verb, rest)) = command.split_once('/') else { return };
        let mut field = fields(rest, '/');
        match verb {
            "+" => {
                let (id, kind, state) = (field(), field(), field());
                if kind == "stack" {
                    self.stack(id, &state);
                } else if self.pieces.len() <= MOST_PIECES {
                    let raw = Raw { kind, state, moved: None };
                    if self.pieces.insert(id.clone(), raw).is_none() {
                        self.order.push(id);
                    }
                }
            }
            "-" => {
                self.pieces.remove(rest);
                self.stacks.remove(rest);
                self.leave(rest);
            }
            // Replaces the whole state of a piece, whose kind stays, or of a stack.
            "D" => {
                let (id, state) = (field(), field());
                match self.pieces.get_mut(&id) {
                    Some(raw) => (raw.state, raw.moved) = (state, None),
                    None => self.stack(id, &state),
                }
            }
            // Moves a piece or a whole stack on top of another piece, or of none.
            "M" => {
                let (id, map, x, y, above) = (field(), field(), field(), field(), field());
                let above = Some(above.as_str()).filter(|above| *above != "null");
                self.go(&id, &MapPosition::parse(&map, &x, &y), above);
            }
            _ => {}
        }
    }

    fn stack(&mut self, id: String, state: &str) {
        self.stacks.extend(members(state).map(|members| (id, members)));
    }

    fn leave(&mut self, id: &str) {
        for members in self.stacks.values_mut() {
            members.retain(|member| member != id);
        }
        self.stacks.retain(|_, members| !members.is_empty());
    }

    /// Moves a piece or a stack on top of another piece, or to the bottom of the new place.
    fn go(&mut self, id: &str, to: &MapPosition, above: Option<&str>) {
        let moving = self.stacks.get(id).cloned().unwrap_or_else(|| vec![id.to_string()]);
        for member in &moving {
            if let Some(raw) = self.pieces.get_mut(member) {
                raw.moved = Some(to.clone());
            }
        }
        if self.stacks.contains_key(id) && above.is_none() {
            return;
        }
        moving.iter().for_each(|member| self.leave(member));
        let Some(above) = above.filter(|above| self.pieces.contains_key(*above)) else { return };
        let place = self.stacks.values_mut().find_map(|members| {
            let below = members.iter().position(|member| member == above)?;
            Some((members, below + 1))
        });
        match place {
            Some((members, at)) => drop(members.splice(at..at, moving)),
            // Two single pieces form a stack, which has no name in the file yet.
            None => {
                let both = [vec![above.to_string()], moving].concat();
                self.stacks.insert(format!("on {above}"), both);
            }
        }
    }

    fn piece(&self, id: &str) -> Option<Piece> {
        let raw = self.pieces.get(id)?;
        let mut piece = Piece::read(&raw.kind, &raw.state)?;
        if let Some(spot) = &raw.moved {
            piece.spot = spot.clone();
        }
        Some(piece)
    }

    /// Returns all pieces on the map by hex. The pieces of each hex come from the bottom up.
    pub fn heaps(&self) -> Vec<Heap> {
        let mut in_stack: HashMap<&str, (usize, usize)> = HashMap::new();
        for (number, members) in self.stacks.values().enumerate() {
            for (height, member) in members.iter().enumerate() {
                in_stack.insert(member, (number, height));
            }
        }
        let mut at: BTreeMap<(i32, i32), Vec<Ordered>> = BTreeMap::new();
        for (number, id) in self.order.iter().enumerate() {
            let Some(piece) = self.piece(id) else { continue };
            if !piece.spot.map.as_deref().is_some_and(|map| MAPS.contains(&map)) {
                continue;
            }
            // A piece that was moved to a hex without a piece below it lies at the bottom.
            let order = match in_stack.get(id.as_str()) {
                Some((stack, height)) => (1 + stack, *height),
                None if self.pieces[id].moved.is_some() => (0, number),
                None => (1 + self.stacks.len() + number, 0),
            };
            at.entry((piece.spot.x, piece.spot.y)).or_default().push((order, piece));
        }
        let heap = |((x, y), mut pieces): ((i32, i32), Vec<Ordered>)| {
            pieces.sort_by_key(|(order, _)| *order);
            // Loose pieces on one pixel lie on each other as in a stack.
            let stack = |stack: usize| stack.min(self.stacks.len() + 1);
            let (stacks, pieces) =
                pieces.into_iter().map(|((of, _), piece)| (stack(of), piece)).unzip();
            Heap { place: board::place(&self.boards, x, y), pieces, stacks }
        };
        at.into_iter().map(heap).collect()
    }

    /// Returns the name of the phase wheel, such as `Allied Turn 3 - CCPh`, wherever it lies.
    pub fn phase_wheel(&self) -> Option<String> {
        let is_wheel =
            |id: &&String| self.pieces.get(*id).is_some_and(|raw| raw.kind.contains("Turn "));
        let wheels = self.order.iter().filter(is_wheel).filter_map(|id| self.piece(id));
        wheels.map(|piece| piece.name).find(|name| {
            let mut words = name.split_whitespace();
            let is_side = words.next().is_some_and(|word| ["Axis", "Allied"].contains(&word));
            let number = words.next().filter(|word| *word == "Turn").and_then(|_| words.next());
            is_side && number.is_some_and(|number| number.parse::<u32>().is_ok())
        })
    }

    /// Returns the number of all pieces, on the map or off the map.
    pub fn pieces(&self) -> usize {
        self.pieces.len()
    }
}

impl Heap {
    /// Returns the pieces that a player may know: those visible to all, and all of the nation
    /// `own_side`. Nothing below a concealment counter of others is among them, nor the counter.
    pub fn known(&self, own_side: Option<&str>) -> Vec<&Piece> {
        self.known_places(own_side).map(|place| &self.pieces[place]).collect()
    }

    /// Returns the indices of the pieces that a player may know.
    pub fn known_places(&self, own_side: Option<&str>) -> impl Iterator<Item = usize> {
        (0..self.pieces.len()).filter(move |place| self.is_known(*place, own_side))
    }

    /// Returns the owners of the concealment counters that hide pieces from a player, each once.
    pub fn foreign_marks(&self, own_side: Option<&str>) -> Vec<Option<&'static str>> {
        let marks = self.pieces.iter().filter(|piece| {
            piece.is_mark() && piece.sight != Visibility::Hidden && !piece.belongs_to(own_side)
        });
        let mut owners: Vec<_> = marks.map(Piece::nation).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    /// Returns whether other players do not see the piece at an index.
    pub fn is_concealed(&self, place: usize) -> bool {
        self.pieces[place].sight != Visibility::Open || self.marks_above(place).next().is_some()
    }

    /// Returns the concealment counters at or above a piece, each with the number of its stack.
    fn marks_above(&self, place: usize) -> impl Iterator<Item = (&Piece, usize)> {
        let above = self.pieces[place..].iter().zip(self.stacks[place..].iter().copied());
        above.filter(|(piece, _)| piece.is_mark())
    }

    fn is_known(&self, place: usize, own_side: Option<&str>) -> bool {
        let (piece, stack) = (&self.pieces[place], self.stacks[place]);
        let is_own = |piece: &Piece| piece.belongs_to(own_side);
        if let Some((mark, _)) = self.marks_above(place).find(|(_, other)| *other == stack) {
            return is_own(mark) && (piece.sight != Visibility::Hidden || is_own(piece));
        }
        if !is_own(piece) {
            // Stacks on one pixel may hide what is above them, but not the units of another nation.
            let is_unit = piece.nation().is_some() && piece.equipment().is_none();
            let hides =
                |mark: &Piece| !(is_own(mark) || is_unit && mark.nation() != piece.nation());
            let is_hidden = self.marks_above(place).any(|(mark, _)| hides(mark));
            return piece.sight == Visibility::Open && !is_hidden;
        }
        // A captured weapon has the image of its nation, and is hidden with those who hold it.
        let is_hidden_by_others = |piece: &Piece| {
            piece.sight != Visibility::Open && piece.nation().is_some() && !is_own(piece)
        };
        piece.sight == Visibility::Open || !self.pieces.iter().any(is_hidden_by_others)
    }
}
