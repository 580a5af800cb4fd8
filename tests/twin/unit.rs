//! A counter on the map, with its Morale and leadership levels (rules sections 2.3, 12, 13, 15).

use super::TwinUnit;
use super::catalogue::{Counter, Kind, counters, index_of};

/// The state of a unit's rout (A10.53).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rout {
    Going,
    /// The unit is out of MF.
    Stopped,
    /// Heat of Battle ended the rout (I-9).
    Ended,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    pub index: usize,
    pub alive: bool,
    pub captured: bool,
    /// True if the unit stayed in a hex that the routing unit has left.
    pub left_behind: bool,
    pub broken: bool,
    pub dm: bool,
    pub pinned: bool,
    pub disrupted: bool,
    pub wounded: bool,
    pub fanatic: bool,
    pub heroic: bool,
    pub berserk: bool,
    pub encircled: bool,
    pub unarmed: bool,
    /// The ELR given for the unit, which its Replacements keep.
    pub own_elr: Option<i32>,
    /// True for a hero made by Finns, who is a Finn although the counter does not say so (A10.2).
    pub finn: bool,
    pub rout: Rout,
    /// True after a Rally attempt in this RPh (A10.6).
    pub tried: bool,
    /// True if the unit was broken at the start, so that it ends as `rallied` (section 21).
    pub began_broken: bool,
}

impl Unit {
    pub fn new(start: &TwinUnit) -> Unit {
        let broken = start.broken || start.dm || start.disrupted;
        Unit {
            broken,
            dm: start.dm,
            pinned: start.pinned,
            disrupted: start.disrupted,
            wounded: start.wounded,
            fanatic: start.fanatic,
            heroic: start.heroic,
            berserk: start.berserk,
            encircled: start.encircled,
            unarmed: start.unarmed,
            own_elr: start.elr,
            began_broken: broken,
            ..Unit::fresh(index_of(&start.id))
        }
        .with_plausible_wound()
    }

    /// Creates a unit in Good Order; `index` is that of its counter in the catalogue.
    pub fn fresh(index: usize) -> Unit {
        Unit {
            index,
            alive: true,
            captured: false,
            left_behind: false,
            broken: false,
            dm: false,
            pinned: false,
            disrupted: false,
            wounded: false,
            fanatic: false,
            heroic: false,
            berserk: false,
            encircled: false,
            unarmed: false,
            own_elr: None,
            finn: false,
            rout: Rout::Going,
            tried: false,
            began_broken: false,
        }
    }

    /// A17: keeps wounds of SMC only; the 1-3-8 is the wounded side of a hero.
    fn with_plausible_wound(self) -> Unit {
        let wounded = self.is_smc() && (self.wounded || self.counter().id == "any_hero_138");
        Unit { wounded, ..self }
    }

    pub fn counter(&self) -> &'static Counter {
        &counters()[self.index]
    }

    /// A25.22: returns whether the unit is a leader; Commissars are leaders too.
    pub fn is_leader(&self) -> bool {
        matches!(self.counter().kind, Kind::Leader | Kind::Commissar)
    }

    pub fn is_commissar(&self) -> bool {
        self.counter().kind == Kind::Commissar
    }

    pub fn is_smc(&self) -> bool {
        self.is_leader() || self.counter().kind == Kind::Hero
    }

    /// Returns whether the unit is a hero or heroic leader (A15.2), which never breaks or pins.
    pub fn is_heroic(&self) -> bool {
        self.heroic || self.counter().kind == Kind::Hero
    }

    /// A20.54: returns whether the unit is in the Location and no prisoner.
    pub fn in_location(&self) -> bool {
        self.alive && !self.captured && !self.left_behind
    }

    pub fn pinnable(&self) -> bool {
        !self.broken && !self.berserk && !self.is_heroic()
    }

    /// Returns whether the unit can lead a rally (A.7); a pin does not matter.
    pub fn good_order_leader(&self) -> bool {
        self.in_location() && self.is_leader() && !self.broken && !self.berserk
    }

    /// A10.21, A7.831, A15.41: returns whether the unit is a leader that can help in MC and TC.
    pub fn gives_leadership(&self) -> bool {
        self.good_order_leader() && !self.pinned
    }

    /// Returns the ML for checks, by A10.1, A.18, I-33, A17.3, A7.7, A15.42. Encirclement counts
    /// only under attack (I-18).
    pub fn morale_level(&self, under_attack: bool, commissar_here: bool) -> i32 {
        let counter = self.counter();
        let bonus = i32::from(self.fanatic) + i32::from(commissar_here && !self.is_commissar());
        let wound = i32::from(self.wounded);
        if self.berserk {
            10
        } else if self.is_heroic() {
            let healthy = if counter.morale == 10 { 10 } else { 9 };
            (healthy - wound + bonus).min(10 - wound)
        } else {
            let printed = if self.broken { counter.broken_morale } else { counter.morale };
            (printed + bonus).min(10) - wound - i32::from(self.encircled && under_attack)
        }
    }

    /// A17.3: returns the leadership DRM, one worse if wounded.
    pub fn leadership(&self) -> i32 {
        self.counter().leadership + i32::from(self.wounded)
    }

    /// A10.7: returns the leadership DRM for `unit`, one worse for another nationality.
    pub fn leadership_for(&self, unit: &Unit) -> i32 {
        self.leadership() + i32::from(!same_nationality(self.counter(), unit.counter()))
    }

    /// A19.132, A1.23: returns the unit's own ELR; without one 5 for an underlined unit, else that
    /// of the scenario.
    pub fn elr(&self, scenario: i32) -> i32 {
        self.own_elr.unwrap_or(if self.counter().underlined { 5 } else { scenario })
    }

    /// Breaks the unit, by A10.3, A10.62.
    pub fn break_it(&mut self) {
        self.broken = true;
        self.dm = true;
        self.pinned = false;
    }

    /// A10.31, A17.11: eliminates the unit; only the kind of its counter is kept.
    pub fn eliminate(&mut self) {
        let remains = match self.counter().kind {
            Kind::Leader | Kind::Commissar => "ger_ldr_8-0",
            Kind::Hero => "any_hero_149",
            _ => "ger_1_247",
        };
        *self = Unit { alive: false, ..Unit::fresh(index_of(remains)) };
    }

    /// A10.6, A15.3, A15.21, A15.42: makes the unit unbroken and removes all conditions of broken
    /// units.
    pub fn restore(&mut self) {
        self.broken = false;
        self.dm = false;
        self.disrupted = false;
        self.pinned = false;
        self.rout = Rout::Ended;
    }

    /// Returns the status of section 21; the first that fits applies.
    pub fn status(&self) -> &'static str {
        match self {
            unit if !unit.alive => "eliminated",
            unit if unit.captured => "captured",
            unit if unit.disrupted => "disrupted",
            unit if unit.broken => "broken",
            unit if unit.berserk => "berserk",
            unit if unit.pinned => "pinned",
            _ => "good-order",
        }
    }

    /// Returns the label of section 21: the final counter and its lasting conditions.
    pub fn label(&self) -> String {
        let printed = match self.counter().kind {
            _ if !self.alive => return String::new(),
            Kind::Hero if self.wounded => "1-3-8",
            Kind::Hero => "1-4-9",
            _ => &self.counter().printed,
        };
        let suffix = match (self.fanatic, self.heroic && self.is_leader()) {
            (false, false) => "",
            (true, false) => "/fanatic",
            (false, true) => "/heroic",
            (true, true) => "/fanatic,heroic",
        };
        format!("{printed}{suffix}")
    }

    pub fn wounded_column(&self) -> Option<bool> {
        (self.alive && self.is_smc()).then_some(self.wounded)
    }
}

fn same_nationality(one: &Counter, other: &Counter) -> bool {
    let [one, other] = [one, other].map(|counter| match counter.nationality.as_str() {
        "german_ss" => "german",
        nationality => nationality,
    });
    one == other || one == "any" || other == "any"
}
