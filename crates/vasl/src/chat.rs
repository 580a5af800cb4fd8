//! What was said, of which only dice matter: the lines of VASL's dice bot in its forms since the
//! first ones.

/// Letters of a line that is read as a roll.
const MOST_LINE: usize = 2000;

/// A roll that a line tells of.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The rolls of a line: none of most, and two of one of three dice (a DR and a dr).
pub fn rolls(line: &str) -> Vec<Roll> {
    read(line).unwrap_or_default()
}

fn read(line: &str) -> Option<Vec<Roll>> {
    let line = line.trim_start();
    let told = line.strip_prefix("*** ").filter(|_| line.len() <= MOST_LINE)?;
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
