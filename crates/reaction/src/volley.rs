//! A volley: firing dice, Reaction Check, Disruption and Suppression.

use super::exchange::{Exchange, Playthrough, Volley};
use super::field::{Battlefield, Effect, Pool, Status, Task};
use super::rules::{Cover, DpRule};
use super::unit::Unit;
use engine::process::Log;

impl Exchange {
    pub(super) fn points_to_dispersal(&self, field: &Battlefield, place: usize) -> u8 {
        self.roster[place].cohesion(&self.rules) - field.units[place].dp
    }

    fn reaction_dice(&self, field: &Battlefield, volley: &Volley) -> u8 {
        let halted = field.units[volley.target].behind.cover == Some(0);
        let halted_cover = if halted { self.rules.halted_cover } else { Cover::None };
        volley.reaction + volley.cover.max(self.rules.cover_dice(halted_cover))
    }

    /// Drops what cannot matter any more, whatever is rolled, so that equal states merge.
    fn forget(&self, field: &Battlefield, volley: &Volley, task: &mut Task) {
        let Task::React { pool, hits, net, unmatched } = task else { return };
        let target = volley.target;
        let spare = pool.dice() + field.wild_dice(*pool);
        let deadly = self.points_to_dispersal(field, target);
        let certain = if self.rules.dp_rule == DpRule::AllIfMore {
            *hits = deadly.min(*hits);
            *net = (spare + 1).min(*net);
            *hits == deadly && *net > spare
        } else {
            *hits = 0;
            *net = deadly.saturating_add(spare).min(*net);
            *net == deadly.saturating_add(spare)
        };
        let most = match self.most_sixes(&field.units[target], spare) {
            0 => volley.matched,
            _ if certain => volley.matched,
            most => most,
        };
        *unmatched = most.min(*unmatched);
    }

    /// Returns the most unmatched sixes that matter, if `spare` dice may match some.
    fn most_sixes(&self, target: &Unit, spare: u8) -> i8 {
        let moves = !target.suppressed || self.rules.forced_back_when_already_suppressed;
        let inches_matter =
            self.telling.counts_inches() || target.behind.beyond() > 0 || target.goal.is_some();
        if self.telling.effects || moves && inches_matter {
            i8::MAX
        } else if !moves || target.suppressed && !self.telling.forced_back {
            0
        } else {
            spare as i8 + 1
        }
    }
}

impl<L: Log> Playthrough<'_, L> {
    pub(super) fn begin_volley(&mut self, volley: &Volley) {
        let target = volley.target;
        let silent = volley.firer.filter(|&firer| !self.field.units[firer].may_fire());
        if let Some(place) = silent.or(self.field.units[target].dispersed.then_some(target)) {
            let fate = self.field.units[place].fate();
            let name = || self.exchange.name(place);
            return self.log.note("Fire", || format!("no volley: {} {fate}", name()));
        }
        let pool = Pool::new(volley.side, volley.dice);
        self.field.agenda.push(Task::Fire { pool, hits: 0, sixes: 0 });
        if volley.may_hold {
            self.field.agenda.push(Task::MayHold { side: volley.side });
        }
    }

    /// Counts a firing die, with a success as a hit, up to the hits and sixes that can matter.
    pub(super) fn fire_die(&mut self, hit: bool, six: bool) {
        let Some(volley) = self.exchange.volley(self.field) else { return };
        let target = volley.target;
        let most_cancelled = self.exchange.reaction_dice(self.field, &volley)
            + self.field.army(volley.side.other()).wild;
        let most_hits =
            self.exchange.points_to_dispersal(self.field, target).saturating_add(most_cancelled);
        let most_sixes = self.exchange.most_sixes(&self.field.units[target], most_cancelled);
        let Some(Task::Fire { pool, hits, sixes }) = self.field.agenda.last_mut() else { return };
        pool.left -= 1;
        *hits = most_hits.min(*hits + u8::from(hit));
        *sixes = (most_sixes as u8).min(*sixes + u8::from(six));
    }

    /// Ends the firing. The firer is marked as fired, and any hit causes one Reaction Check.
    pub(super) fn end_fire(&mut self, hits: u8, sixes: u8) {
        self.field.agenda.pop();
        let Some(volley) = self.exchange.volley(self.field) else { return };
        if let Some(firer) = volley.firer {
            self.field.units[firer].fired = true;
        }
        if hits == 0 {
            self.note_effect(Status::Missed, 0, 0);
            return self.log.note("Fire", || "no hit");
        }
        let dice = self.exchange.reaction_dice(self.field, &volley);
        let unmatched = if sixes > 0 { sixes as i8 } else { volley.matched };
        let pool = Pool::new(volley.side.other(), dice as i8);
        let mut task = Task::React { pool, hits, net: hits, unmatched };
        self.exchange.forget(self.field, &volley, &mut task);
        self.field.agenda.push(task);
    }

    /// Counts a Reaction Die. A success cancels a hit, and a six matches a firing six.
    pub(super) fn reaction_die(&mut self, success: bool, six: bool) {
        let Some(mut task) = self.field.agenda.pop() else { return };
        let Some(volley) = self.exchange.volley(self.field) else { return };
        if let Task::React { pool, net, unmatched, .. } = &mut task {
            pool.left -= 1;
            *net = net.saturating_sub(success.into());
            *unmatched = volley.matched.max(*unmatched - i8::from(six));
        }
        self.exchange.forget(self.field, &volley, &mut task);
        self.field.agenda.push(task);
    }

    /// Applies the Reaction Check. One roll decides on points, dispersal and suppression.
    pub(super) fn end_reaction(&mut self, hits: u8, net: u8, unmatched: i8) {
        self.field.agenda.pop();
        let Some(volley) = self.exchange.volley(self.field) else { return };
        let (place, rules) = (volley.target, &self.exchange.rules);
        let points = if rules.dp_rule == DpRule::AllIfMore && net > 0 { hits } else { net };
        if points >= self.exchange.points_to_dispersal(self.field, place) {
            self.note_effect(Status::Dispersed, 0, 0);
            return self.disperse(place, "Disruption");
        }
        let failed = unmatched > volley.matched;
        let unit = &mut self.field.units[place];
        let was_suppressed = unit.suppressed;
        unit.dp += points;
        unit.suppressed |= failed;
        let dp = unit.dp;
        let name = || self.exchange.name(place);
        self.log.note("Disruption", || format!("{} takes {points} and has {dp}", name()));
        if failed && !was_suppressed {
            self.log.note("Suppression", || format!("{} is suppressed", name()));
        }
        let sixes = unmatched.max(0) as u8;
        let moves = points > 0 && (!was_suppressed || rules.forced_back_when_already_suppressed);
        let status = match failed {
            true if moves => Status::ForcedBack,
            true => Status::Suppressed,
            false if points > 0 => Status::Disrupted,
            false => Status::Held,
        };
        self.note_effect(status, points, sixes);
        if status == Status::ForcedBack {
            self.force_back(place, sixes);
        }
    }

    pub(super) fn note_effect(&mut self, status: Status, points: u8, sixes: u8) {
        self.field.effect =
            self.exchange.telling.effects.then_some(Effect { status, points, sixes });
    }
}
