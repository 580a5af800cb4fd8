//! The value of a campaign over Player Turns, by backward induction.

use std::collections::HashMap;

use super::man::Man;
use super::morale::{Lent, Means, attacked, means, rally_attempt};
use super::rout::March;
use super::{Act, Answer, Objective, OwnRph, Phase, TwinLane};

/// The point of a Player Turn that the campaign has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stand {
    /// 10.6: the RPh begins.
    Rally,
    /// 10.62: the RPh ends.
    EndOfRally,
    Fire,
    /// 10.41: the RtPh begins.
    Break,
    /// 10.5: the rout begins.
    Rout,
    March(March),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub turn: u8,
    pub hex: i8,
    pub man: Man,
    pub stand: Stand,
}

pub struct Solver<'a> {
    pub lane: &'a TwinLane,
    objective: Objective,
    known: HashMap<Position, f64>,
}

impl<'a> Solver<'a> {
    pub fn new(lane: &'a TwinLane, objective: Objective) -> Solver<'a> {
        Solver { lane, objective, known: HashMap::new() }
    }

    pub fn answer(mut self) -> Answer {
        let stand = match self.lane.begin {
            Phase::Rally => Stand::Rally,
            Phase::Fire => Stand::Fire,
            Phase::Rout => Stand::Break,
        };
        let man = Man::new(&self.lane.unit);
        // 10.62: an ADJACENT enemy gives DM.
        let dm = man.dm || (man.broken && self.lane.is_adjacent(0));
        let mut start = Position { turn: 1, hex: 0, man: Man { dm, ..man }, stand };
        let value = self.value(start);
        // Positions that have neither a choice nor dice are passed until the first decision.
        let mut options = self.options(&start);
        while let [(_, Next::Go(next))] = options[..]
            && next.turn == 1
        {
            start = next;
            options = self.options(&start);
        }
        let options = if options.len() > 1 { options } else { Vec::new() };
        Answer {
            value,
            options: options.into_iter().map(|(act, next)| (act, self.after(next))).collect(),
        }
    }

    /// Returns the value of a position if both sides play their best.
    pub fn value(&mut self, position: Position) -> f64 {
        if let Some(&value) = self.known.get(&position) {
            return value;
        }
        let enemys = position.stand == Stand::Fire;
        let options = self.options(&position);
        let values = options.into_iter().map(|(_, next)| self.after(next)).collect::<Vec<_>>();
        let value =
            values.into_iter().reduce(if enemys { f64::min } else { f64::max }).expect("an option");
        self.known.insert(position, value);
        value
    }

    fn after(&mut self, next: Next) -> f64 {
        match next {
            Next::Over(hex, man) => self.worth(hex, &man),
            Next::Go(position) => self.value(position),
            Next::Chance(branches) => {
                branches.into_iter().map(|(next, chance)| chance * self.after(next)).sum()
            }
        }
    }

    fn worth(&self, hex: i8, man: &Man) -> f64 {
        man.worth(self.objective, Man::new(&self.lane.unit).counter, self.lane.is_cover(hex))
    }

    /// Returns the options of a position, each with its result.
    fn options(&self, position: &Position) -> Vec<(Act, Next)> {
        if !position.man.is_there() {
            return vec![(Act::Nothing, Next::Over(position.hex, position.man))];
        }
        match position.stand {
            Stand::Rally => self.rally(position),
            Stand::EndOfRally => self.end_of_rally(position),
            Stand::Fire => self.fire(position),
            Stand::Break => self.may_break(position),
            Stand::Rout => self.rout(position),
            Stand::March(march) => self.march(position, march),
        }
    }

    pub fn leader(&self, hex: i8, turn: u8) -> Option<Lent> {
        self.lane.leader(hex, turn).map(Lent::new)
    }

    fn is_own(&self, turn: u8) -> bool {
        match (self.lane.own_rph, self.lane.begin) {
            (OwnRph::Odd, _) | (OwnRph::Unsaid, Phase::Rally) => turn % 2 == 1,
            (OwnRph::Even, _) | (OwnRph::Unsaid, _) => turn.is_multiple_of(2),
            (OwnRph::Never, _) => false,
        }
    }

    /// 10.6: returns the options to rally.
    fn rally(&self, position: &Position) -> Vec<(Act, Next)> {
        let Position { turn, hex, man, .. } = *position;
        if !man.broken {
            return nothing(position.at(Stand::Fire));
        }
        let not = position.at(Stand::EndOfRally);
        let Some(means) = means(&man, self.leader(hex, turn), self.is_own(turn)) else {
            return nothing(not);
        };
        let tried = rally_attempt(man, means, self.lane.is_cover(hex));
        let mut options = vec![(Act::TryToRally, Next::of(tried, position, Stand::EndOfRally))];
        // 25.22: a Commissar must rally any unit that it can.
        if !matches!(means, Means::Led(leader) if leader.is_commissar()) {
            options.push((Act::DoNotTry, Next::Go(not)));
        }
        options
    }

    /// 10.62: returns the options at the end of the RPh. DM ends in cover, and elsewhere unless the
    /// owner keeps it. ADJACENT to a Known armed enemy it returns at once (I-28).
    fn end_of_rally(&self, position: &Position) -> Vec<(Act, Next)> {
        let with = |dm| Position { man: Man { dm, ..position.man }, ..position.at(Stand::Fire) };
        if !position.man.broken {
            return nothing(position.at(Stand::Fire));
        }
        if self.lane.is_adjacent(position.hex) {
            return nothing(with(true));
        }
        if !position.man.dm || self.lane.is_cover(position.hex) {
            return nothing(with(false));
        }
        vec![(Act::RemoveDm, Next::Go(with(false))), (Act::KeepDm, Next::Go(with(true)))]
    }

    /// 7.3: returns the options of the enemy's fire.
    fn fire(&self, position: &Position) -> Vec<(Act, Next)> {
        let Position { turn, hex, man, .. } = *position;
        let held = position.at(Stand::Break);
        let Some(attack) = self.lane.attack(hex) else { return nothing(held) };
        let ends = attacked(man, attack, self.lane.cowering, self.leader(hex, turn), self.lane.elr);
        let mut options = vec![(Act::Fire, Next::of(ends, position, Stand::Break))];
        if self.lane.enemy_holds_fire {
            options.push((Act::HoldFire, Next::Go(held)));
        }
        options
    }

    /// 10.41: returns the options of an unbroken unit to break of its own accord. It may in the LOS
    /// and Normal Range of an armed, unbroken Known enemy, or ADJACENT to one.
    fn may_break(&self, position: &Position) -> Vec<(Act, Next)> {
        if position.man.broken {
            return nothing(position.at(Stand::Rout));
        }
        let hold = (Act::HoldPlace, self.end_of_turn(position));
        if !self.lane.sees(position.hex) {
            return vec![(Act::Nothing, hold.1)];
        }
        let broken = Position { man: position.man.breaks(), ..position.at(Stand::Rout) };
        vec![hold, (Act::Break, Next::Go(broken))]
    }

    /// Ends the Player Turn, and the campaign after the last one.
    pub fn end_of_turn(&self, position: &Position) -> Next {
        let over = position.turn == self.lane.turns || !position.man.is_there();
        match over {
            true => Next::Over(position.hex, position.man),
            false => Next::Go(Position { turn: position.turn + 1, ..position.at(Stand::Rally) }),
        }
    }
}

#[derive(Clone, Debug)]
pub enum Next {
    Over(i8, Man),
    Go(Position),
    Chance(Vec<(Next, f64)>),
}

impl Next {
    /// Returns each result for the unit with its probability, at another point of the turn.
    fn of(branches: Vec<(Man, f64)>, position: &Position, stand: Stand) -> Next {
        let after = |(man, chance)| (Next::Go(Position { man, ..position.at(stand) }), chance);
        Next::Chance(branches.into_iter().map(after).collect())
    }
}

fn nothing(next: Position) -> Vec<(Act, Next)> {
    vec![(Act::Nothing, Next::Go(next))]
}

impl Position {
    pub fn at(&self, stand: Stand) -> Position {
        Position { stand, ..*self }
    }
}
