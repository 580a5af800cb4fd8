//! Pieces, stored as two chains (nested lists) of equal length: kinds and states of their traits.

use super::sequence::{Split, split};

/// The maximum number of nested traits of a piece; real pieces have about sixty.
const MOST_TRAITS: usize = 200;
/// The maximum length of a chain in bytes.
const MOST_CHAIN: usize = 1 << 20;

/// Returns the items of a chain, outermost first. Items nested deeper than the maximum are dropped.
pub fn chain(text: &str) -> Vec<String> {
    let mut items = Vec::new();
    let mut rest = Some(text.to_string()).filter(|text| text.len() <= MOST_CHAIN);
    while let Some(text) = rest.take().filter(|_| items.len() < MOST_TRAITS) {
        let mut parts = split(&text, '\t');
        items.push(parts.next().unwrap_or_default().into_owned());
        rest = parts.next().map(|inner| inner.into_owned());
    }
    items
}

/// The position of a piece or stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapPosition {
    /// The name of the map; `None` if the piece is on no map.
    pub map: Option<String>,
    /// The position in pixels of the map.
    pub x: i32,
    pub y: i32,
}

impl MapPosition {
    /// Builds a position from three fields. Coordinates that are no numbers count as 0.
    pub(super) fn parse(map: &str, x: &str, y: &str) -> MapPosition {
        let number = |text: &str| text.trim().parse::<f64>().map_or(0, |number| number as i32);
        let map = Some(map.to_string()).filter(|map| map != "null");
        MapPosition { map, x: number(x), y: number(y) }
    }
}

/// A trait with several faces, one of which can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The image of the current face, shown or not; empty if there is none.
    pub image: String,
    /// The name that the current face adds to the piece; empty if there is none.
    pub name: String,
    /// The name that other traits use for the layer, such as `BRK` or `BER`.
    pub property: String,
    pub is_shown: bool,
}

impl Layer {
    fn from_trait(kind: &str, state: &str) -> Option<Layer> {
        // The 1-based number of the current face; negative if it is not shown.
        let shown = state.split(';').next()?.trim().parse::<i64>().unwrap_or(-1);
        let place = usize::try_from(shown.unsigned_abs()).ok()?.checked_sub(1);
        let current = |mut faces: Split| {
            place.and_then(|place| faces.nth(place)).unwrap_or_default().into_owned()
        };
        let is_shown = shown > 0;
        if let Some(rest) = kind.strip_prefix("emb2;") {
            let fields: Vec<_> = split(rest, ';').take(22).collect();
            let field = |place: usize| fields.get(place).map_or("", |field| field);
            let [image, name] = [15, 16].map(|place| current(split(field(place), ',')));
            let property = field(18).to_string();
            return (field(21) != "true").then_some(Layer { image, name, property, is_shown });
        }
        let mut faces = split(kind.strip_prefix("emb;")?, ';');
        faces.nth(6);
        let face = current(faces);
        let mut parts = split(&face, ',').map(|part| part.into_owned());
        let [image, name] = [(); 2].map(|()| parts.next().unwrap_or_default());
        Some(Layer { image, name, property: String::new(), is_shown })
    }

    /// Returns whether the layer shows the broken side of the counter.
    fn breaks(&self) -> bool {
        let is_weapon = self.name.starts_with(MALFUNCTIONED);
        self.is_shown && (self.property == "BRK" && !is_weapon || self.name.starts_with("broken"))
    }
}

/// The start of the name that the malfunctioned side adds to a weapon.
const MALFUNCTIONED: &str = "Malf";

/// The visibility of a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Visibility {
    /// Visible to all players.
    #[default]
    Open,
    /// Under a concealment counter (`?`).
    Concealed,
    /// Not on the map for other players: hidden.
    Hidden,
}

/// A piece with its kind and state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The name with all shown faces, such as `broken 4-6-7 1sq`.
    pub name: String,
    /// The name without prefixes and suffixes of shown faces.
    pub basic: String,
    /// The layers, outermost first.
    pub layers: Vec<Layer>,
    /// The image of the innermost trait.
    pub image: String,
    pub spot: MapPosition,
    pub sight: Visibility,
    /// The owner, if the piece is a concealment counter; otherwise `None`.
    conceals: Option<String>,
    pub is_broken: bool,
}

impl Piece {
    /// Reads a piece from its two chains. The result is `None` for a stack or a deck.
    pub fn read(kind: &str, state: &str) -> Option<Piece> {
        let (kinds, states) = (chain(kind), chain(state));
        let (innermost, last) = kinds.last().zip(states.get(kinds.len() - 1))?;
        let mut fields = split(innermost.strip_prefix("piece;")?, ';').skip(2);
        let (image, name) = (fields.next()?.into_owned(), fields.next()?.into_owned());
        let spot = spot(&mut split(last, ';'))?;
        let (mut layers, mut sight, mut conceals) = (Vec::new(), Visibility::Open, None);
        for (kind, state) in kinds.iter().zip(&states) {
            // The field is `null`, or the player who hid the piece, whose name is not kept.
            let owner = state.split(';').next().unwrap_or_default();
            let is_owned = !owner.is_empty() && owner != "null";
            layers.extend(Layer::from_trait(kind, state));
            if kind.starts_with("hide;") && is_owned {
                sight = Visibility::Hidden;
            } else if kind.starts_with("conceal;") && is_owned && sight == Visibility::Open {
                sight = Visibility::Concealed;
            } else if let Some(mark) = kind.strip_prefix("concealment;") {
                conceals = Some(split(mark, ';').nth(1).unwrap_or_default().into_owned());
            }
        }
        let mut piece = Piece {
            is_broken: layers.iter().any(Layer::breaks),
            basic: unescaped(&name),
            name: unescaped(&name),
            layers,
            image,
            spot,
            sight,
            conceals,
        };
        for layer in piece.layers.iter().rev().filter(|layer| layer.is_shown) {
            let own = layer.name.as_str();
            match (own.strip_suffix('+').filter(|own| !own.ends_with('\\')), own.strip_prefix('+'))
            {
                _ if own.is_empty() => {}
                (Some(before), _) => piece.name = unescaped(before) + &piece.name,
                (None, Some(behind)) => piece.name += &unescaped(behind),
                (None, None) => {
                    piece.name = unescaped(own);
                    piece.basic = unescaped(own);
                }
            }
        }
        Some(piece)
    }

    /// Returns the innermost shown image that is a counter, otherwise the piece's own.
    pub fn front(&self) -> &str {
        let shown = self.layers.iter().rev().filter(|layer| layer.is_shown);
        let mut images =
            shown.map(|layer| layer.image.as_str()).filter(|image| nation(image).is_some());
        images.next().unwrap_or(&self.image)
    }

    /// Returns the nation of the counter, or of the owner of a concealment counter, by its images.
    /// Counters of the SS have images of the Germans, and a class of their own.
    pub fn nation(&self) -> Option<&'static str> {
        match &self.conceals {
            Some(own) => {
                let own = own.to_ascii_lowercase();
                nation_where(|letters, name| own == letters || own == name)
            }
            None if self.class().starts_with("SS") => Some(SS),
            None => nation(self.front()).or_else(|| self.equipment().map(|(_, nation)| nation)),
        }
    }

    /// Returns the class of a unit in its name, such as `1sq`; empty if the name has none.
    pub fn class(&self) -> &str {
        self.basic.split_whitespace().nth(1).unwrap_or_default()
    }

    /// Returns whether a player of the nation `own` sees what this piece hides from others.
    pub fn belongs_to(&self, own: Option<&str>) -> bool {
        let side =
            |nation: &str| if nation == SS { GERMAN.to_string() } else { nation.to_string() };
        own.is_some_and(|own| self.nation().is_some_and(|nation| side(nation) == side(own)))
    }

    /// Returns whether the piece is a vehicle, a Gun or a SW, and its nation by its image.
    pub fn equipment(&self) -> Option<(Equipment, &'static str)> {
        let mut parts = self.image_parts();
        let folder = parts.next()?;
        let of_folder = nation_where(|letters, _| letters == folder);
        match parts.next()? {
            "veh" => of_folder.map(|nation| (Equipment::Vehicle, nation)),
            "gun" => of_folder.map(|nation| (Equipment::Gun, nation)),
            _ => {
                let (letters, rest) = stem(self.own_image()).split_at_checked(2)?;
                let owner = nation_where(|own, _| own == letters)?;
                let is_weapon = WEAPONS.iter().any(|weapon| rest.starts_with(weapon));
                is_weapon.then_some((Equipment::Weapon, owner))
            }
        }
    }

    fn image_parts(&self) -> impl Iterator<Item = &str> {
        self.own_image().split(['/', '\\'])
    }

    /// Returns the image of the piece itself, or the innermost shown image if it is blank.
    fn own_image(&self) -> &str {
        let shown = self.layers.iter().rev().filter(|layer| layer.is_shown);
        let images = std::iter::once(self.image.as_str());
        let mut images = images.chain(shown.map(|layer| layer.image.as_str()));
        images.find(|image| image.contains('/')).unwrap_or(&self.image)
    }

    /// Returns whether the piece is a weapon that has malfunctioned.
    pub fn is_malfunctioned(&self) -> bool {
        self.layers.iter().any(|layer| layer.is_shown && layer.name.starts_with(MALFUNCTIONED))
    }

    /// Returns whether the piece is a concealment counter.
    pub const fn is_mark(&self) -> bool {
        self.conceals.is_some()
    }

    /// Returns whether a layer with this property is shown.
    pub fn shows(&self, property: &str) -> bool {
        self.layers.iter().any(|layer| layer.is_shown && layer.property == property)
    }

    /// Returns the broken morale by the name of the broken side's image, or `None` if it has none.
    pub fn broken_morale(&self) -> Option<u8> {
        let broken = self.layers.iter().find(|layer| layer.breaks())?;
        let letters = stem(&broken.image).get(2..)?;
        let rest = letters.strip_prefix(['s', 'S', 'h', 'H', 'c', 'C', 't', 'T'])?;
        rest.strip_suffix('b')?.parse().ok()
    }
}

/// Takes a position off the fields of an innermost state, or of a stack.
fn spot(fields: &mut Split) -> Option<MapPosition> {
    let (map, x, y) = (fields.next()?, fields.next()?, fields.next()?);
    Some(MapPosition::parse(&map, &x, &y))
}

fn unescaped(name: &str) -> String {
    name.replace("\\+", "+")
}

/// Returns the name of an image without folder and extension.
pub fn stem(image: &str) -> &str {
    let name = image.rsplit(['/', '\\']).next().unwrap_or(image);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A piece that is no unit of Infantry, and has an image of its nation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equipment {
    Vehicle,
    Gun,
    /// A SW, a radio or a field phone.
    Weapon,
}

/// The starts of the images of SW, behind the letters of the nation.
const WEAPONS: [&str; 14] = [
    "LMG", "MMG", "HMG", "ATR", "DC", "FT", "PSK", "BAZ", "PIAT", "MTR", "RCL", "50cal", "radio",
    "phone",
];
const GERMAN: &str = "german";
const SS: &str = "german-ss";

/// The nations by the two-letter prefixes of their images.
pub const NATIONS: [(&str, &str); 19] = [
    ("al", "allied-minor"),
    ("am", "american"),
    ("ax", "axis-minor"),
    ("br", "british"),
    ("ch", "chinese"),
    ("et", "ethiopian"),
    ("fi", "finnish"),
    ("fr", "french"),
    ("ge", GERMAN),
    ("gr", "greek"),
    ("hu", "hungarian"),
    ("it", "italian"),
    ("ja", "japanese"),
    ("nk", "north-korean"),
    ("pa", "partisan"),
    ("ru", "russian"),
    ("sk", "south-korean"),
    ("ss", SS),
    ("un", "united-nations"),
];

/// Returns the nation of an image with a known prefix and the start of a counter's name.
pub fn nation(image: &str) -> Option<&'static str> {
    let stem = stem(image);
    let (letters, rest) = stem.split_at_checked(2)?;
    let is_counter =
        rest.starts_with(|next: char| next.is_ascii_digit() || "sShHcCLtT".contains(next));
    nation_where(|own, _| own == letters && is_counter)
}

fn nation_where(is_meant: impl Fn(&str, &str) -> bool) -> Option<&'static str> {
    let mut nations = NATIONS.into_iter();
    nations.find(|(letters, name)| is_meant(letters, name)).map(|(_, name)| name)
}

/// Returns the names of the members of a stack, from the bottom up.
pub fn members(stack: &str) -> Option<Vec<String>> {
    let mut fields = split(stack, ';');
    spot(&mut fields)?;
    let is_member = |id: &str| !id.is_empty() && !id.starts_with("@@");
    Some(fields.filter(|id| is_member(id)).map(|id| id.into_owned()).collect())
}
