//! What was said, of which only dice matter: the lines of VASL's dice bot in its forms since the
//! first ones.

use engine::text::Fault;

/// Letters of a line that is read as a roll.
const MOST_LINE: usize = 2000;
/// Bytes of what stands before a roll.
const MOST_STAMP: usize = 60;
/// How a roll begins.
const START: &str = "*** ";
/// What stands before the dice of a roll.
const MARKS: [&str; 5] = ["DR)", "dr)", "DR =", "dr =", "3d6 ="];

/// A roll that a line tells of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    pub player: String,
    pub kind: Kind,
    /// One die, or the coloured and the white one.
    pub dice: Dice,
    /// How many dice of this sort the player had rolled in his session, with this one.
    pub nth: Option<u32>,
    /// Number of a series, and the number in it: a player has each once.
    pub serial: Option<(u32, u32)>,
}

/// What lay on the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dice {
    /// A dr.
    One(u8),
    /// A DR: the coloured die, then the white one.
    Two(u8, u8),
}

impl Dice {
    /// The sum.
    pub fn total(self) -> u32 {
        match self {
            Dice::One(die) => die.into(),
            Dice::Two(coloured, white) => u32::from(coloured) + u32::from(white),
        }
    }

    /// How many dice.
    pub const fn number(self) -> usize {
        match self {
            Dice::One(_) => 1,
            Dice::Two(..) => 2,
        }
    }
}

/// What dice were rolled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Ift,
    ToHit,
    ToKill,
    MoraleCheck,
    TaskCheck,
    Rally,
    CloseCombat,
    Sniper,
    RandomSelection,
    OtherDr,
    OtherDie,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 11] = [
        Kind::Ift,
        Kind::ToHit,
        Kind::ToKill,
        Kind::MoraleCheck,
        Kind::TaskCheck,
        Kind::Rally,
        Kind::CloseCombat,
        Kind::Sniper,
        Kind::RandomSelection,
        Kind::OtherDr,
        Kind::OtherDie,
    ];

    /// The word of the dice bot.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Ift => "IFT",
            Kind::ToHit => "TH",
            Kind::ToKill => "TK",
            Kind::MoraleCheck => "MC",
            Kind::TaskCheck => "TC",
            Kind::Rally => "Rally",
            Kind::CloseCombat => "CC",
            Kind::Sniper => "SA",
            Kind::RandomSelection => "RS",
            Kind::OtherDr => "DR",
            Kind::OtherDie => "dr",
        }
    }

    /// Whether who rolls wants to roll low; else nobody can say what is good.
    pub const fn is_low_good(self) -> bool {
        !matches!(self, Kind::RandomSelection | Kind::OtherDr | Kind::OtherDie)
    }

    fn of(word: &str, dice: Dice) -> Kind {
        let other = if dice.number() == 1 { Kind::OtherDie } else { Kind::OtherDr };
        let known = Kind::ALL.into_iter().find(|kind| kind.name() == word);
        // A dr for an IFT attack would be something else.
        let is_dr = |kind: &Kind| matches!(kind, Kind::Sniper | Kind::RandomSelection);
        known.filter(|kind| is_dr(kind) == (dice.number() == 1)).unwrap_or(other)
    }
}

/// What was said in a log or a chat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    pub rolls: Vec<Roll>,
    /// How many lines look like a roll, or have another one, and are not read so.
    pub unread: usize,
    /// The first of these, with its number from 1.
    pub first_unread: Option<(usize, String)>,
}

impl Transcript {
    /// Reads chat as it was copied out of a window.
    pub fn read(text: &str) -> Transcript {
        let mut transcript = Transcript::default();
        // The two characters that end a line on Windows are one end.
        for (number, line) in (1..).zip(text.replace("\r\n", "\n").split(['\n', '\r'])) {
            transcript.add(number, line);
        }
        transcript
    }

    /// Adds a line of that number.
    pub fn add(&mut self, number: usize, line: &str) {
        let found = rolls(line);
        // Where lines have run together the first roll is read.
        if count_dice(line) > usize::from(!found.is_empty()) {
            self.unread += 1;
            self.first_unread.get_or_insert_with(|| (number, line.trim().to_string()));
        }
        self.rolls.extend(found);
    }
}

/// Reads the bytes of a text file: UTF-8 or UTF-16, with a byte order mark or without, or what
/// Windows wrote before these.
pub fn decode(bytes: &[u8]) -> Result<String, Fault> {
    // Of the letters of English, every second byte is 0 in UTF-16.
    let begin = &bytes[..bytes.len().min(4096)];
    let has_zeros = |first: usize| {
        let zeros = begin.iter().skip(first).step_by(2).filter(|byte| **byte == 0).count();
        4 * zeros > begin.len()
    };
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| -> String {
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units).map(|letter| letter.unwrap_or('\u{fffd}')).collect()
    };
    let text = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ if has_zeros(1) => utf16(bytes, u16::from_le_bytes),
        _ if has_zeros(0) => utf16(bytes, u16::from_be_bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_string(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
        },
    };
    match text.contains('\0') {
        true => Err(Fault::new("not a text file: it has bytes that are 0", 0..0)),
        false => Ok(text),
    }
}

/// Reads the rolls of a line: none of most, and two of one of three dice (a DR and a dr). In front
/// of it there may be a time stamp, or anything else without letters.
pub fn rolls(line: &str) -> Vec<Roll> {
    let line = line.replace('\u{a0}', " ");
    let start = line.find(START).filter(|start| is_stamp(line[..*start].trim()));
    start.and_then(|start| read(&line[start..])).unwrap_or_default()
}

/// Tells whether what stands before a roll is a time stamp, or has no letters; what a player says
/// has his name in front.
fn is_stamp(text: &str) -> bool {
    let is_time = |four: &[u8]| {
        let digits = [four[0], four[2], four[3]];
        four[1] == b':' && digits.iter().all(u8::is_ascii_digit)
    };
    let has_time = text.as_bytes().windows(4).any(is_time);
    text.len() <= MOST_STAMP
        && !text.contains('<')
        && (has_time || !text.chars().any(char::is_alphabetic))
}

/// Counts where a line has dice as a roll has them; in the tables of statistics nowhere.
fn count_dice(line: &str) -> usize {
    let is_dice = |mark: &str, at: usize| {
        let rest = line[at + mark.len()..].trim_start();
        rest.starts_with(|die: char| die.is_ascii_digit())
    };
    let count =
        |mark: &&str| line.match_indices(*mark).filter(|(at, _)| is_dice(mark, *at)).count();
    match line.trim_start_matches('!').starts_with("<html>") {
        true => 0,
        false => MARKS.iter().map(count).sum(),
    }
}

fn read(line: &str) -> Option<Vec<Roll>> {
    let told = line.strip_prefix(START).filter(|_| line.len() <= MOST_LINE)?;
    let (head, rest) = told.split_once(" ***")?;
    let (word, dice) = if let Some(inside) = head.strip_prefix('(') {
        // What is rolled for may have any name, so the last of these ends it.
        let end = inside.rfind(" DR) ").max(inside.rfind(" dr) "))?;
        (&inside[..end], &inside[end + " DR) ".len()..])
    } else {
        let (word, dice) = head.split_once(" = ")?;
        if !["DR", "dr", "3d6"].contains(&word) {
            return None;
        }
        (word, dice)
    };
    let is_one = match head.starts_with('(') {
        true => head[1 + word.len()..].starts_with(" dr"),
        false => word == "dr",
    };
    let dice: Vec<u8> = dice.trim().split(',').map(die).collect::<Option<_>>()?;
    let (player, after) = player(rest)?;
    let roll = |dice: Dice, word: &str| Roll {
        player: player.to_string(),
        kind: Kind::of(word, dice),
        dice,
        nth: nth(after),
        serial: serial(after),
    };
    Some(match (&dice[..], is_one) {
        (&[one], true) => vec![roll(Dice::One(one), word)],
        (&[coloured, white], false) => vec![roll(Dice::Two(coloured, white), word)],
        (&[coloured, white, third], false) if word == "3d6" => {
            vec![roll(Dice::Two(coloured, white), ""), roll(Dice::One(third), "")]
        }
        // The third is for dust, and no part of what is rolled for.
        (&[coloured, white, _], false) => vec![roll(Dice::Two(coloured, white), word)],
        _ => return None,
    })
}

fn die(text: &str) -> Option<u8> {
    text.trim().parse().ok().filter(|die| (1..=6).contains(die))
}

/// Who rolled, in pointed brackets, and what stands behind.
fn player(rest: &str) -> Option<(&str, &str)> {
    let from = rest.find('<')? + 1;
    let length = rest[from..].find('>')?;
    Some((&rest[from..from + length], &rest[from + length + 1..]))
}

/// `[3 / 17   avg ...]`: the second number.
fn nth(after: &str) -> Option<u32> {
    let inside = after.split_once('[')?.1.split_once("avg")?.0;
    let (_, all) = inside.rsplit_once('/')?;
    all.trim().parse().ok()
}

/// `(01.45 - by random.org)`: the last such numbers.
fn serial(after: &str) -> Option<(u32, u32)> {
    let inside = after.rsplit_once('(')?.1.split(')').next()?;
    let numbers = inside.split(" - ").next()?;
    let (series, number) = numbers.split_once('.')?;
    series.trim().parse().ok().zip(number.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Roll {
        let mut all = rolls(line);
        assert_eq!(all.len(), 1, "{line}");
        all.remove(0)
    }

    #[test]
    fn every_form_of_the_dice_bot_is_read() {
        let roll = one(
            "*** (IFT DR) 3,4 ***   <Alice>      Axis SAN    [2 / 7   avg   6,86 (6.9)]    (01.45 - by random.org)",
        );
        let expected = Roll {
            player: "Alice".to_string(),
            kind: Kind::Ift,
            dice: Dice::Two(3, 4),
            nth: Some(7),
            serial: Some((1, 45)),
        };
        assert_eq!(roll, expected);
        let roll = one("*** (SA dr) 2 ***   <Bob>      [1 / 1   avg   2,00 (2,00)]    (01.02)");
        assert_eq!((roll.kind, roll.dice, roll.nth), (Kind::Sniper, Dice::One(2), Some(1)));
        // Hull and turret, and a die for the rate of fire.
        for end in [" <Hull>", " <Turret>", " ROF die: 3"] {
            let line =
                format!("*** (TH DR) 1,6 ***   <Bob>      [1 / 2   avg   7 (7)]    (01.02){end}");
            assert_eq!((one(&line).kind, one(&line).serial), (Kind::ToHit, Some((1, 2))), "{end}");
        }
        let roll = one(
            "*** (MC DR) 5,2,3 *** - total with Light Dust: 8     <Bob>      [1 / 2   avg   7 (7)]    (01.02)",
        );
        assert_eq!((roll.kind, roll.dice.total()), (Kind::MoraleCheck, 7));
        let roll = one("*** DR = 6,1 *** <Old hand> Axis SAN");
        assert_eq!((roll.kind, roll.player.as_str()), (Kind::OtherDr, "Old hand"));
        assert_eq!(one("*** dr = 4 *** <Old hand>").kind, Kind::OtherDie);
        let three = rolls("*** 3d6 = 1,2,3 *** <A>");
        let dice: Vec<Dice> = three.iter().map(|roll| roll.dice).collect();
        assert_eq!(dice, [Dice::Two(1, 2), Dice::One(3)]);
        // What an extension or a player calls it.
        assert_eq!(one("*** (ENEMY DR) x DR) 2,2 *** <A>").kind, Kind::OtherDr);
        assert_eq!(one("*** (Rally DR) 2,2 *** <A>").serial, None);
    }

    #[test]
    fn what_is_no_roll_is_none() {
        for line in [
            "",
            "<Alice> - *** (IFT DR) 3,4 *** <Alice>",
            "*** (IFT DR) 3,7 *** <A>",
            "*** (IFT DR) 0,1 *** <A>",
            "*** (IFT DR) 3,4",
            "*** (IFT DR) 3,4 *** A",
            "*** (IFT dr) 3,4 *** <A>",
            "*** (SA dr) 3,4 *** <A>",
            "*** (IFT DR) 1,2,3,4 *** <A>",
            "*** ( DR) ***<>",
            "!!<html>*** (IFT DR) 3,4 *** <A>",
            "* New: Axis Turn 1 - PFPh *",
        ] {
            assert!(rolls(line).is_empty(), "{line}");
        }
    }
}
