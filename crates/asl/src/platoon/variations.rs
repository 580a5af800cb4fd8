//! Variations of a platoon: all its plans, and what a little more or less of everything is worth.

use serde_json::{Value as Json, json};

use super::ground::{Link, PlatoonLocation};
use super::model::{AttackTurns, FixedAttack, Platoon, PlatoonSide};
use super::orders::{Aim, FirstOrder, LeaderWord, PolicyWord, ReturnWord, RoutWord};
use crate::attack::weapons::SupportWeapon;
use crate::catalogue::{CATALOGUE, CounterKind};
use crate::stack::{MAX_UNITS, Member, Stack};
use crate::unit::Condition;
use answer::Variation;

/// The columns of the IFT, one above and below the present one.
const COLUMNS: [u16; 11] = [1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 36];

/// A change of one side and of the attacks on it.
struct Change {
    name: String,
    side: PlatoonSide,
    attacks: Vec<FixedAttack>,
    begins: u8,
}

impl Platoon {
    /// Returns the plans of the first side: each word for the best leader and the others, for routs
    /// and for returns.
    pub fn plans(&self) -> Vec<Variation> {
        let leaders = self.sides[0].members.iter().filter(|member| member.is_leader()).count();
        let best_words: &[LeaderWord] = if leaders > 1 { &LeaderWord::ALL } else { &[] };
        let mut plans = Vec::new();
        for others in LeaderWord::ALL {
            // A single leader is the best one, and without any there is one word.
            let best: Vec<LeaderWord> =
                if best_words.is_empty() { vec![others] } else { best_words.to_vec() };
            for best in best.into_iter().filter(|_| leaders > 0 || others == LeaderWord::Stay) {
                for (rout, returns) in RoutWord::ALL
                    .into_iter()
                    .flat_map(|rout| ReturnWord::ALL.map(|returns| (rout, returns)))
                {
                    plans.push(self.plan(best, others, rout, returns));
                }
            }
        }
        plans
    }

    fn plan(
        &self,
        best: LeaderWord,
        others: LeaderWord,
        rout: RoutWord,
        returns: ReturnWord,
    ) -> Variation {
        let mut side = self.sides[0].clone();
        let first = side.best_leader();
        let words =
            (0..side.members.len()).map(|unit| if Some(unit) == first { best } else { others });
        side.orders.leaders = words.collect();
        side.orders.created = others;
        (side.orders.rout, side.orders.returns) = (rout, returns);
        let leader = match best == others {
            true => others.name().to_string(),
            false => format!("{}/{}", best.name(), others.name()),
        };
        let known = PolicyWord::ALL.into_iter().find(|policy| {
            let words = policy.words();
            (words.best, words.others, words.rout, words.returns) == (best, others, rout, returns)
        });
        let plan = format!("leader {leader}, rout {}, return {}", rout.name(), returns.name());
        let name = known.map_or(plan.clone(), |policy| format!("{}: {plan}", policy.name()));
        self.variation(Change { name, side, attacks: self.attacks.clone(), begins: self.begins })
    }

    /// Returns the options of each unit of the first side at its first decision: where it can go,
    /// and to stay. Equal units have the same.
    pub fn first_moves(&self) -> Vec<Variation> {
        let own = &self.sides[0];
        let mut moves = Vec::new();
        for (unit, (member, &at)) in own.members.iter().zip(&own.begins_in).enumerate() {
            let is_equal = |other: usize| {
                own.members[other] == *member
                    && own.begins_in[other] == at
                    && own.orders.leaders[other] == own.orders.leaders[unit]
            };
            let is_broken = member.is(Condition::Broken);
            let may_move = is_broken || member.is_leader() || !own.is_front(at);
            if !may_move || (0..unit).any(is_equal) {
                continue;
            }
            let leads_away = |link: u8| !is_broken || own.links[usize::from(link)].from == at;
            let mut places: Vec<u8> =
                own.linked(at).filter(|(link, _)| leads_away(*link)).map(|(_, to)| to).collect();
            places.sort_unstable();
            places.dedup();
            let orders = std::iter::once(FirstOrder::Stay).filter(|_| !places.is_empty());
            for order in orders.chain(places.iter().map(|to| FirstOrder::Go(*to))) {
                moves.push(self.first_move(unit, order));
            }
        }
        moves
    }

    fn first_move(&self, unit: usize, order: FirstOrder) -> Variation {
        let mut side = self.sides[0].clone();
        let what = match order {
            FirstOrder::Stay => "stays".to_string(),
            FirstOrder::Go(to) => format!("goes to {}", side.locations[usize::from(to)].name),
        };
        let name = format!("{} [{}] {what}", side.members[unit], unit + 1);
        side.orders.first.resize(side.members.len(), None);
        side.orders.first[unit] = Some(order);
        self.variation(Change { name, side, attacks: self.attacks.clone(), begins: self.begins })
    }

    /// Returns what the first side could have more or less of, each thing by itself.
    pub fn worth(&self) -> Vec<Variation> {
        let own = &self.sides[0];
        let mut all: Vec<(String, Option<PlatoonSide>)> = Vec::new();
        for (by, sign) in [(1, "+1"), (-1, "-1")] {
            let elr = own.elr.checked_add_signed(by).filter(|elr| *elr <= 5);
            let side = elr.map(|elr| PlatoonSide { elr, ..own.clone() });
            all.push((format!("ELR {sign}"), side));
        }
        all.push(("best leader a grade up".to_string(), own.with_best_leader(true)));
        all.push(("best leader a grade down".to_string(), own.with_best_leader(false)));
        all.push(("one more leader, 8-0".to_string(), own.with_leader("8-0")));
        all.push(("one squad more".to_string(), own.with_squad()));
        all.push(("one squad less".to_string(), own.without_squad()));
        for (by, sign) in [(1, "+1"), (-1, "-1")] {
            let mut side = own.clone();
            side.locations.iter_mut().filter(|at| at.is_front).for_each(|at| at.tem += by);
            all.push((format!("TEM {sign}"), Some(side)));
            let mut side = own.clone();
            let change = |link: &mut Link| {
                let changed = link.interdicted.checked_add_signed(by).filter(|hexes| *hexes <= 6);
                changed.map(|hexes| link.interdicted = hexes)
            };
            let changed = side.links.iter_mut().filter_map(change).count();
            all.push((format!("Interdicted hexes {sign}"), (changed > 0).then_some(side)));
        }
        let change = |(name, side): (String, Option<PlatoonSide>)| {
            let (attacks, begins) = (self.attacks.clone(), self.begins);
            side.map(|side| self.variation(Change { name, side, attacks, begins }))
        };
        let mut variations: Vec<Variation> = all.into_iter().filter_map(change).collect();
        for (by, words) in [(1, "up"), (-1, "down")] {
            let mut attacks = self.attacks.clone();
            let column = |attack: &mut FixedAttack| {
                let fp = attack.attack.firepower;
                let place = COLUMNS.iter().rposition(|column| *column <= fp)?;
                let next = COLUMNS.get(place.checked_add_signed(by)?)?;
                attack.attack.firepower = *next;
                Some(())
            };
            let changed = attacks.iter_mut().filter(|one| one.on == 0).filter_map(column).count();
            if changed > 0 {
                let name = format!("attacks one column {words}");
                let (side, begins) = (own.clone(), self.begins);
                variations.push(self.variation(Change { name, side, attacks, begins }));
            }
        }
        let name = "the other side begins".to_string();
        let (side, attacks, begins) = (own.clone(), self.attacks.clone(), 1 - self.begins);
        variations.push(self.variation(Change { name, side, attacks, begins }));
        variations
    }

    fn variation(&self, change: Change) -> Variation {
        let Change { name, side, attacks, begins } = change;
        let both: Vec<&PlatoonSide> = std::iter::once(&side).chain(&self.sides[1..]).collect();
        let mut sides: Vec<Json> = both.iter().map(|side| side.to_json()).collect();
        for (table, (own, enemy)) in
            sides.iter_mut().zip(both.iter().zip(both.iter().rev())).filter(|_| both.len() > 1)
        {
            let names: Vec<&str> = enemy.locations.iter().map(|at| &*at.name).collect();
            table["aim"] = aim_word(own.orders.aim, &names).into();
        }
        let attacks: Vec<Json> = attacks.iter().map(|attack| self.attack_json(attack)).collect();
        let first = if begins == 0 { "own" } else { "enemy" };
        let mut fields = vec![
            ("stack", "none".to_string()),
            ("against", "none".to_string()),
            ("side", Json::Array(sides).to_string()),
            ("begins", first.to_string()),
            ("terrain", "open".to_string()),
            ("their-terrain", "open".to_string()),
            ("rear", "none".to_string()),
            ("their-rear", "none".to_string()),
            ("interdicted", "0".to_string()),
            ("fp", "none".to_string()),
            ("drm", "0".to_string()),
            ("cowering", "true".to_string()),
            ("policy", "none".to_string()),
            ("their-policy", "none".to_string()),
            ("group", "none".to_string()),
            ("elr", "none".to_string()),
            ("their-elr", "none".to_string()),
        ];
        fields.push(("attack", Json::Array(attacks).to_string()));
        Variation { name, fields }
    }

    fn attack_json(&self, fixed: &FixedAttack) -> Json {
        let target = &self.sides[usize::from(fixed.on)];
        let at = match fixed.at {
            Aim::Fixed(at) => target.locations[usize::from(at)].name.to_string(),
            aim => aim_word(aim, &[]),
        };
        let when = match &fixed.turns {
            AttackTurns::Every => json!("every"),
            AttackTurns::Own => json!("own"),
            AttackTurns::Enemy => json!("enemy"),
            AttackTurns::Listed(turns) => json!(turns),
        };
        let attack = fixed.attack;
        json!({ "on": &*target.name, "at": at, "fp": attack.firepower, "drm": attack.drm,
            "cowering": attack.cowering > 0, "inexperienced": attack.cowering > 1, "when": when })
    }
}

/// Returns the word of an aim, with the names of the enemy's Locations.
fn aim_word(aim: Aim, locations: &[&str]) -> String {
    match aim {
        Aim::Fixed(at) => format!("fixed:{}", locations.get(usize::from(at)).unwrap_or(&"")),
        aim => {
            let word = Aim::WORDS.iter().find(|(_, known)| *known == aim);
            word.map_or("nearest", |(word, _)| word).to_string()
        }
    }
}

impl PlatoonSide {
    /// Returns the index of the best leader: of the lowest rating, then of the highest ML.
    pub fn best_leader(&self) -> Option<usize> {
        best_leader(&self.members)
    }

    fn with_best_leader(&self, is_better: bool) -> Option<PlatoonSide> {
        let best = self.best_leader()?;
        let of = self.members[best].printed();
        const GRADES: [&str; 10] =
            ["6+1", "7-0", "8-0", "8-1", "9-1", "9-2", "10-2", "10-3", "", ""];
        let place = GRADES.iter().position(|grade| *grade == of.printed())?;
        let next = if is_better { place + 1 } else { place.checked_sub(1)? };
        let counter = CATALOGUE.leader(of.nation, GRADES.get(next)?)?;
        let mut side = self.clone();
        side.members[best].counter = counter;
        Some(side)
    }

    fn with_leader(&self, grade: &str) -> Option<PlatoonSide> {
        let nation = self.members.first()?.nationality();
        let like = Member { counter: CATALOGUE.leader(nation, grade)?, ..self.members[0].clone() };
        self.with_member(Member { conditions: Default::default(), ..like })
    }

    /// Returns the side with one squad more of the most frequent kind.
    fn with_squad(&self) -> Option<PlatoonSide> {
        let squad = self.most_frequent_squad()?;
        self.with_member(Member { conditions: Default::default(), ..self.members[squad].clone() })
    }

    fn with_member(&self, member: Member) -> Option<PlatoonSide> {
        let mut side = self.clone();
        let front = self.locations.iter().position(|at| at.is_front).unwrap_or_default();
        side.members.push(member);
        side.begins_in.push(front as u8);
        side.orders.leaders.push(side.orders.created);
        (side.members.len() <= MAX_UNITS).then_some(side)
    }

    fn without_squad(&self) -> Option<PlatoonSide> {
        let like = self.most_frequent_squad()?;
        let last = self.members.iter().rposition(|member| *member == self.members[like])?;
        let mut side = self.clone();
        side.members.remove(last);
        side.begins_in.remove(last);
        side.orders.leaders.remove(last);
        if last < side.orders.first.len() {
            side.orders.first.remove(last);
        }
        (!side.members.is_empty()).then_some(side)
    }

    fn most_frequent_squad(&self) -> Option<usize> {
        let is_squad = |member: &Member| member.printed().kind == CounterKind::Squad;
        let number = |unit: usize| {
            self.members.iter().filter(|member| **member == self.members[unit]).count()
        };
        let squads = (0..self.members.len()).filter(|unit| is_squad(&self.members[*unit]));
        // Of equals the first.
        squads.rev().max_by_key(|unit| number(*unit))
    }

    /// Returns the table of the side, as a file has it.
    pub fn to_json(&self) -> Json {
        let places = self.locations.iter().zip(0u8..);
        let locations: Vec<Json> =
            places.map(|(at, place)| self.location_json(at, place)).collect();
        let name = |at: u8| &*self.locations[usize::from(at)].name;
        let link = |link: &Link| {
            json!({ "from": name(link.from), "to": name(link.to),
                "interdicted": link.interdicted, "move": link.moves.name(), "fire": link.fire,
                "fire-drm": link.fire_drm })
        };
        let links: Vec<Json> = self.links.iter().map(link).collect();
        let orders = &self.orders;
        let mut table = json!({ "name": &*self.name, "elr": self.elr, "location": locations,
            "link": links, "rout": orders.rout.name(), "return": orders.returns.name(),
            "rally": orders.rally.name(), "group": orders.group.name() });
        table["leader"] = self.leader_json();
        // A file names units Location by Location.
        let mut by_slot: Vec<usize> = (0..self.members.len()).collect();
        by_slot.sort_by_key(|unit| self.begins_in[*unit]);
        for (slot, unit) in (1..).zip(by_slot) {
            let place = match orders.first.get(unit).copied().flatten() {
                None => continue,
                Some(FirstOrder::Stay) => FirstOrder::STAY,
                Some(FirstOrder::Go(to)) => name(to),
            };
            table["first"][slot.to_string()] = place.into();
        }
        table
    }

    fn location_json(&self, at: &PlatoonLocation, place: u8) -> Json {
        let weapon = |weapon: &&SupportWeapon| format!("{}:{}", weapon.nation, weapon.name);
        let weapons: Vec<String> = at.weapons.iter().map(weapon).collect();
        let mut table = json!({ "name": &*at.name, "terrain": at.terrain.id, "tem": at.tem,
            "front": at.is_front, "weapons": weapons });
        let members = self.members.iter().zip(&self.begins_in);
        let members = members.filter(|(_, begins)| **begins == place);
        let members: Vec<Member> = members.map(|(member, _)| member.clone()).collect();
        if !members.is_empty() {
            let stack = Stack { members, ..Stack::default() };
            table["units"] = stack.to_string().into();
        }
        if at.is_seen != at.is_front {
            table["seen"] = at.is_seen.into();
        }
        if at.is_adjacent {
            table["adjacent"] = true.into();
        }
        table
    }

    /// Returns the words of leaders: by counter, of the best one, and of all others.
    fn leader_json(&self) -> Json {
        let orders = &self.orders;
        let Some(best) = self.best_leader() else { return json!(orders.created.name()) };
        let mut words = json!({ "others": orders.created.name() });
        for (member, word) in self.members.iter().zip(&orders.leaders) {
            if member.is_leader() {
                words[member.printed().printed()] = word.name().into();
            }
        }
        words["best"] = orders.leaders[best].name().into();
        words
    }
}

/// Returns the index of the best leader of some units.
pub(super) fn best_leader(members: &[Member]) -> Option<usize> {
    let leaders = (0..members.len()).filter(|&unit| members[unit].is_leader());
    leaders.min_by_key(|&unit| {
        let counter = members[unit].printed();
        (counter.leadership, -counter.morale)
    })
}
