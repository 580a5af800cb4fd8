//! Dice rolls in chat text, in all forms that VASL's dice bot has used.

use engine::text::Fault;

/// The maximum length of a line that is read as a roll, in bytes.
const MOST_LINE: usize = 2000;
/// The maximum length of the text before a roll, in bytes.
const MOST_STAMP: usize = 60;
const START: &str = "*** ";
const MARKS: [&str; 5] = ["DR)", "dr)", "DR =", "dr =", "3d6 ="];

/// A roll in a line of chat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    pub player: String,
    pub kind: RollKind,
    pub dice: RolledDice,
    /// The count of such rolls by the player in the session, with this one; `None` if not given.
    pub nth: Option<u32>,
    /// The number of a series and the number within it, if given. A player gets each pair once.
    pub serial: Option<(u32, u32)>,
}

/// The dice of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RolledDice {
    /// A dr, of one die.
    One(u8),
    /// A DR: the coloured die, then the white die.
    Two(u8, u8),
}

impl RolledDice {
    /// Returns the sum of the dice.
    pub fn total(self) -> u32 {
        match self {
            RolledDice::One(die) => die.into(),
            RolledDice::Two(coloured, white) => u32::from(coloured) + u32::from(white),
        }
    }

    /// Returns the number of dice.
    pub const fn number(self) -> usize {
        if let RolledDice::One(_) = self { 1 } else { 2 }
    }
}

/// The purpose of a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RollKind {
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

impl RollKind {
    /// All kinds in order, each with the word of the dice bot.
    pub const ALL: [(RollKind, &str); 11] = [
        (RollKind::Ift, "IFT"),
        (RollKind::ToHit, "TH"),
        (RollKind::ToKill, "TK"),
        (RollKind::MoraleCheck, "MC"),
        (RollKind::TaskCheck, "TC"),
        (RollKind::Rally, "Rally"),
        (RollKind::CloseCombat, "CC"),
        (RollKind::Sniper, "SA"),
        (RollKind::RandomSelection, "RS"),
        (RollKind::OtherDr, "DR"),
        (RollKind::OtherDie, "dr"),
    ];

    /// Returns the word of the dice bot for the kind.
    pub const fn name(self) -> &'static str {
        RollKind::ALL[self as usize].1
    }

    /// Returns whether a low result is known to be good for the player who rolls.
    pub const fn is_low_good(self) -> bool {
        !matches!(self, RollKind::RandomSelection | RollKind::OtherDr | RollKind::OtherDie)
    }

    fn from_word(word: &str, dice: RolledDice) -> RollKind {
        let other = if dice.number() == 1 { RollKind::OtherDie } else { RollKind::OtherDr };
        let known = RollKind::ALL.into_iter().find(|(_, name)| *name == word);
        // A word with the wrong number of dice does not name its usual kind.
        let is_dr = |kind: &RollKind| matches!(kind, RollKind::Sniper | RollKind::RandomSelection);
        known
            .map(|(kind, _)| kind)
            .filter(|kind| is_dr(kind) == (dice.number() == 1))
            .unwrap_or(other)
    }
}

/// A phase of a Player Turn, as VASL's phase wheel tells it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment {
    pub turn: u32,
    /// The side that moves: `Axis` or `Allied`.
    pub side: String,
    /// The name of the phase, such as `PFPh`.
    pub phase: String,
}

impl Moment {
    /// Reads a line such as `* New: Axis Turn 1 - PFPh *`; `None` for other lines.
    fn read(line: &str) -> Option<Moment> {
        let inside = line.trim().strip_prefix("* ")?.strip_suffix(" *")?;
        let mut words = inside.strip_prefix("New: ").unwrap_or(inside).split_whitespace();
        let side = words.next().filter(|side| ["Axis", "Allied"].contains(side))?;
        words.next().filter(|word| *word == "Turn")?;
        let turn = words.next()?.parse().ok()?;
        words.next().filter(|word| *word == "-")?;
        let phase = words.next().filter(|phase| phase.ends_with("Ph") && phase.len() <= 6)?;
        Some(Moment { turn, side: side.to_string(), phase: phase.to_string() })
    }
}

/// The context of a roll, which does not identify it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RollContext {
    /// The phase in which it was made; `None` if no phase was told before it.
    pub moment: Option<Moment>,
    /// The die for the Rate of Fire that was rolled with it.
    pub rof_die: Option<u8>,
}

/// The rolls found in a log or a chat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    pub rolls: Vec<Roll>,
    /// The context of each roll.
    pub contexts: Vec<RollContext>,
    /// The phase that was told last.
    moment: Option<Moment>,
    /// The number of lines with a roll, or with a further roll, that cannot be read.
    pub unparsed: usize,
    /// The 1-based number and the text of the first of these lines.
    pub first_unparsed: Option<(usize, String)>,
}

impl Transcript {
    /// Reads chat that was copied from a window of VASSAL.
    pub fn read(text: &str) -> Transcript {
        let mut transcript = Transcript::default();
        // Windows ends a line with two characters, which count as one.
        for (number, line) in (1..).zip(text.replace("\r\n", "\n").split(['\n', '\r'])) {
            transcript.add(number, line);
        }
        transcript
    }

    /// Reads a line and adds its rolls. `number` is the number of the line in reports.
    pub fn add(&mut self, number: usize, line: &str) {
        let in_line = rolls(line);
        // If lines have run together, only the first roll is read.
        if count_dice(line) > usize::from(!in_line.is_empty()) {
            self.unparsed += 1;
            self.first_unparsed.get_or_insert_with(|| (number, line.trim().to_string()));
        }
        if let Some(moment) = Moment::read(line) {
            self.moment = Some(moment);
        }
        let context = RollContext { moment: self.moment.clone(), rof_die: rof_die(line) };
        self.contexts.extend(in_line.iter().map(|_| context.clone()));
        self.rolls.extend(in_line);
    }
}

/// Decodes a text file: UTF-8 or UTF-16, with or without a byte order mark, otherwise Latin-1.
///
/// # Errors
///
/// Fails if the text contains a 0 byte.
pub fn decode(bytes: &[u8]) -> Result<String, Fault> {
    // English text in UTF-16 has a 0 in every second byte.
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
        true => Err(Fault::new("not a text file: it has zero bytes", 0..0)),
        false => Ok(text),
    }
}

/// Reads a line's rolls, after a time stamp or text without letters. Three dice give a DR and a dr.
///
/// # Examples
///
/// ```
/// use lowcrawl_vasl::chat::{RollKind, RolledDice, rolls};
///
/// let rolls = rolls("*** (IFT DR) 3,4 *** <Alice>");
/// assert_eq!((rolls[0].kind, rolls[0].dice), (RollKind::Ift, RolledDice::Two(3, 4)));
/// ```
pub fn rolls(line: &str) -> Vec<Roll> {
    let line = line.replace('\u{a0}', " ");
    let start = line.find(START).filter(|start| is_stamp(line[..*start].trim()));
    start.and_then(|start| read(&line[start..])).unwrap_or_default()
}

/// Returns whether text before a roll is a time stamp or has no letters, so that nobody typed it.
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

/// Counts the places in a line where dice follow a mark of a roll. Tables of statistics have none.
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
    let content = line.strip_prefix(START).filter(|_| line.len() <= MOST_LINE)?;
    let (head, rest) = content.split_once(" ***")?;
    let (word, is_one, dice) = if let Some(inside) = head.strip_prefix('(') {
        // The purpose can be any text, so the last of these marks ends it.
        let end = inside.rfind(" DR) ").max(inside.rfind(" dr) "))?;
        let (mark, dice) = inside[end..].split_at(" DR) ".len());
        (&inside[..end], mark == " dr) ", dice)
    } else {
        let (word, dice) = head.split_once(" = ")?;
        (word, word == "dr", Some(dice).filter(|_| ["DR", "dr", "3d6"].contains(&word))?)
    };
    let die = |text: &str| text.trim().parse().ok().filter(|die| (1..=6).contains(die));
    let dice: Vec<u8> = dice.trim().split(',').map(die).collect::<Option<_>>()?;
    let (player, after) = rest.split_once('<')?.1.split_once('>')?;
    let roll = |dice: RolledDice, word: &str| Roll {
        player: player.to_string(),
        kind: RollKind::from_word(word, dice),
        dice,
        nth: nth(after),
        serial: serial(after),
    };
    Some(match (&dice[..], is_one) {
        (&[one], true) => vec![roll(RolledDice::One(one), word)],
        (&[coloured, white], false) => vec![roll(RolledDice::Two(coloured, white), word)],
        (&[coloured, white, third], false) if word == "3d6" => {
            vec![roll(RolledDice::Two(coloured, white), ""), roll(RolledDice::One(third), "")]
        }
        // The third die is for dust, and does not belong to the roll.
        (&[coloured, white, _], false) => vec![roll(RolledDice::Two(coloured, white), word)],
        _ => return None,
    })
}

/// Parses the die behind `ROF die:` at the end of a line.
fn rof_die(line: &str) -> Option<u8> {
    let (_, die) = line.rsplit_once("ROF die:")?;
    die.trim().parse().ok().filter(|die| (1..=6).contains(die))
}

/// Parses the second number from brackets such as `[3 / 17   avg ...]`.
fn nth(after: &str) -> Option<u32> {
    let inside = after.split_once('[')?.1.split_once("avg")?.0;
    let (_, all) = inside.rsplit_once('/')?;
    all.trim().parse().ok()
}

/// Parses series and number from the last parentheses, such as `(01.45 - by random.org)`.
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
            kind: RollKind::Ift,
            dice: RolledDice::Two(3, 4),
            nth: Some(7),
            serial: Some((1, 45)),
        };
        assert_eq!(roll, expected);
        let roll = one("*** (SA dr) 2 ***   <Bob>      [1 / 1   avg   2,00 (2,00)]    (01.02)");
        assert_eq!(
            (roll.kind, roll.dice, roll.nth),
            (RollKind::Sniper, RolledDice::One(2), Some(1))
        );
        for end in [" <Hull>", " <Turret>", " ROF die: 3"] {
            let line =
                format!("*** (TH DR) 1,6 ***   <Bob>      [1 / 2   avg   7 (7)]    (01.02){end}");
            assert_eq!(
                (one(&line).kind, one(&line).serial),
                (RollKind::ToHit, Some((1, 2))),
                "{end}"
            );
        }
        let roll = one(
            "*** (MC DR) 5,2,3 *** - total with Light Dust: 8     <Bob>      [1 / 2   avg   7 (7)]    (01.02)",
        );
        assert_eq!((roll.kind, roll.dice.total()), (RollKind::MoraleCheck, 7));
        let roll = one("*** DR = 6,1 *** <Old hand> Axis SAN");
        assert_eq!((roll.kind, roll.player.as_str()), (RollKind::OtherDr, "Old hand"));
        assert_eq!(one("*** dr = 4 *** <Old hand>").kind, RollKind::OtherDie);
        let three = rolls("*** 3d6 = 1,2,3 *** <A>");
        let dice: Vec<RolledDice> = three.iter().map(|roll| roll.dice).collect();
        assert_eq!(dice, [RolledDice::Two(1, 2), RolledDice::One(3)]);
        assert_eq!(one("*** (ENEMY DR) x DR) 2,2 *** <A>").kind, RollKind::OtherDr);
        assert_eq!(one("*** (Rally DR) 2,2 *** <A>").serial, None);
    }

    #[test]
    fn phases_and_dice_for_the_rate_of_fire_are_read() {
        let mut transcript = Transcript::default();
        for (number, line) in (1..).zip([
            "*** (IFT DR) 3,4 *** <A>",
            "* New: Axis Turn 2 - PFPh *",
            "*** (IFT DR) 3,4 *** <A> ROF die: 3",
            "* Phase Wheel Axis Turn 3 - MPh *",
            "<A> - * Axis Turn 9 - MPh *",
            "* Allied Turn 3 - RtPh *",
            "*** 3d6 = 1,2,3 *** <A>",
        ]) {
            transcript.add(number, line);
        }
        let told = |context: &RollContext| {
            let moment = context.moment.as_ref();
            let moment = moment.map(|it| format!("{} {} {}", it.side, it.turn, it.phase));
            (moment.unwrap_or_default(), context.rof_die)
        };
        let contexts: Vec<(String, Option<u8>)> = transcript.contexts.iter().map(told).collect();
        let (first, second) = ("Axis 2 PFPh".to_string(), "Allied 3 RtPh".to_string());
        let expected =
            [(String::new(), None), (first, Some(3)), (second.clone(), None), (second, None)];
        assert_eq!(contexts, expected);
    }

    #[test]
    fn other_lines_are_no_rolls() {
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
