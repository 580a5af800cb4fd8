//! Leaders and the units they direct: leadership, Cowering, DRM of firers (7.53, 7.9, 15.2).

use super::circumstances::{AttackCircumstances, Direction};
use super::firepower::{FARTHEST_ALONE, Part};
use super::firers::Firer;
use super::modifiers::FirerDrm;
use super::reckoning::{Director, Placed, Reckoner};
use super::weapons::WeaponKind;
use crate::catalogue::{Class, CounterKind};
use crate::nation::Nation;
use crate::rulebook::Switch;
use crate::vocabulary::Condition;

impl Reckoner<'_> {
    /// Returns who directs in each Location with his rating (7.53, 7.531, 10.72).
    pub(super) fn directors(&self) -> Vec<Option<Director>> {
        (0..self.group.locations.len()).map(|location| self.director(location)).collect()
    }

    fn director(&self, location: usize) -> Option<Director> {
        let AttackCircumstances { direction, .. } = *self.circumstances;
        if direction == Direction::None {
            return None;
        }
        let here = || (0..self.placed.len()).filter(|&n| self.placed[n].location == location);
        let is_far = self.sights[location].range > FARTHEST_ALONE;
        let rating = |number: usize| {
            let firer = self.placed[number].firer;
            let unfit = [Condition::Pinned, Condition::Berserk, Condition::Broken];
            let is_free = firer.weapons.is_empty() && !firer.assists && !firer.no_direct;
            let leads = firer.kind().is_leader() && !unfit.into_iter().any(|not| firer.is(not));
            let nation = firer.member.nationality();
            let directed: Vec<Nation> = here()
                .filter(|&other| other != number && self.fires(other))
                .map(|other| self.placed[other].firer.member.nationality())
                .collect();
            let is_partisan = |nation: Nation| nation == Nation::Partisan;
            let may = directed.iter().all(|&of| is_partisan(of) == is_partisan(nation));
            if !leads || !is_free || directed.is_empty() || !may {
                return None;
            }
            let mut foreign = directed.iter().map(|of| of.is_foreign_to(nation));
            let is_foreign = match self.rulebook.chooses(Switch::ForeignersAloneWeaken) {
                true => foreign.all(|is_foreign| is_foreign),
                false => foreign.any(|is_foreign| is_foreign),
            };
            let rating = firer.member.printed().leadership
                + i8::from(firer.is(Condition::Wounded))
                + i8::from(is_foreign);
            let limit = match () {
                _ if direction == Direction::Force || is_far => i8::MAX,
                _ if self.rulebook.chooses(Switch::EveryLeaderDirects) => i8::MAX,
                _ if self.rulebook.chooses(Switch::OnlyNegativeLeadersDirect) => -1,
                _ => 0,
            };
            (rating <= limit).then_some((number, rating))
        };
        here().filter_map(rating).min_by_key(|(_, rating)| *rating)
    }

    /// Returns the leadership DRM: the lowest quality of all Locations that fire (7.531). There is
    /// none if one lacks a director, or if a berserk unit, FT or DC fires.
    pub(super) fn leadership(&self, directors: &[Option<Director>]) -> Option<i8> {
        let is_barred = self.parts.iter().any(|(number, part)| {
            part.special().is_some() || self.placed[*number].firer.is(Condition::Berserk)
        });
        if is_barred {
            return None;
        }
        let mut lowest = None;
        for (location, director) in directors.iter().enumerate() {
            if self.fires_from(location) {
                let (_, rating) = (*director)?;
                lowest = lowest.max(Some(rating));
            }
        }
        lowest
    }

    fn can_cower(&self, firer: &Firer) -> bool {
        let class = firer.member.printed().class;
        let nation = firer.member.nationality();
        let is_kit = self.rulebook.chooses(Switch::PlainUnitsOnly);
        let knows_exemptions = !is_kit || self.rulebook.chooses(Switch::ExemptInKit);
        let is_exempt = match nation {
            Nation::British => matches!(class, Class::Elite | Class::First),
            Nation::Finnish => class != Class::Conscript,
            _ => false,
        };
        let never = firer.is(Condition::Berserk) || firer.is(Condition::Fanatic);
        !(firer.kind().is_smc() || never || is_exempt && knows_exemptions)
    }

    /// Returns whether a unit is Inexperienced (19.2, 19.3): a Conscript, or Green without an
    /// unbroken leader in its Location.
    pub(super) fn is_inexperienced(&self, number: usize) -> bool {
        let Placed { firer, location } = &self.placed[number];
        let leads = |other: &Firer| other.kind().is_leader() && !other.is(Condition::Broken);
        let is_mmc = matches!(firer.kind(), CounterKind::Squad | CounterKind::HalfSquad);
        is_mmc
            && match firer.member.printed().class {
                Class::Conscript => true,
                Class::Green => !self.group.locations[*location].firers.iter().any(leads),
                _ => false,
            }
    }

    /// Returns the columns that Cowering costs (7.9, 19.33), and which units it can mark.
    pub(super) fn cowering(&self, leadership: Option<i8>) -> (u8, Vec<bool>) {
        let numbers = 0..self.placed.len();
        let firing: Vec<usize> = numbers.clone().filter(|&number| self.fires(number)).collect();
        let cowers = |number: &usize| self.can_cower(self.placed[*number].firer);
        let able: Vec<usize> = firing.iter().copied().filter(cowers).collect();
        let is_charge = self.special() == Some(WeaponKind::DemolitionCharge);
        let spared = leadership.is_some()
            || is_charge
            || self.rulebook.chooses(Switch::ExemptUnitsSpareAll) && able.len() < firing.len();
        if spared || able.is_empty() {
            return (0, vec![false; self.placed.len()]);
        }
        let counts =
            if self.rulebook.chooses(Switch::ImmuneInexperienced) { &able } else { &firing };
        let two = counts.iter().any(|&number| self.is_inexperienced(number));
        let marked = if self.rulebook.chooses(Switch::AnyFirerIsMarked) { &firing } else { &able };
        (1 + u8::from(two), numbers.map(|number| marked.contains(&number)).collect())
    }

    pub(super) fn firer_drm(
        &self,
        directors: &[Option<Director>],
        leadership: Option<i8>,
    ) -> FirerDrm {
        let directs = |number: usize| {
            leadership.is_some() && directors.iter().flatten().any(|(of, _)| *of == number)
        };
        let (mut heroes, mut with_mg) = (0, 0);
        let mut leadership = leadership;
        for number in 0..self.placed.len() {
            let firer = self.placed[number].firer;
            let range = self.sight(number).range;
            let mut parts = self.parts.iter().filter(|(of, _)| *of == number);
            let is_near = parts.clone().any(|(_, part)| range <= part.ranges(firer).0);
            let is_plain = self.special().is_some() || self.circumstances.plain_heroes;
            if !firer.is_hero() || is_plain {
                continue;
            }
            if directs(number) {
                // Never both: leadership, or by the alternative the better (15.21, I-96).
                let is_better = leadership.is_some_and(|rating| rating > -1);
                if !is_near || !is_better || !self.rulebook.chooses(Switch::HeroicDrmIfBetter) {
                    continue;
                }
                leadership = Some(0);
            }
            // His own DRM is for Normal Range only (15.24), that of his MG is not (15.23).
            heroes += u8::from(is_near);
            let is_mg = parts
                .any(|(_, part)| matches!(part, Part::Weapon(manned) if manned.weapon.is_mg()));
            with_mg += u8::from(is_mg && firer.kind() == CounterKind::Hero);
        }
        let takes_part = |number: &usize| self.fires(*number) || directs(*number);
        let numbers = (0..self.placed.len()).filter(takes_part);
        let any = |condition| numbers.clone().any(|number| self.placed[number].firer.is(condition));
        FirerDrm {
            leadership,
            heroes,
            heroes_with_mg: with_mg,
            is_cx: any(Condition::Cx),
            is_encircled: any(Condition::Encircled),
            special: self.special(),
        }
    }
}
