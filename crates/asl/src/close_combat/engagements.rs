//! The rules for the units of each side of a Close Combat: engagements without stages.

use std::sync::Arc;

use super::state::CombatSide;
use crate::catalogue::CounterId;
use crate::engagement::{Engagement, EngagementSetup};
use crate::roster::Roster;
use crate::rulebook::Rulebook;
use crate::stack::Member;
use crate::unit::Unit;
use crate::vocabulary::{Choices, OutcomeDetail, Report, Scene, Wording};

/// Returns the rules for the units of each side. Both have one roster.
pub(super) fn engagements(members: &[Vec<Member>; 2], rulebook: Rulebook) -> [Engagement; 2] {
    let all: Vec<Member> = members.concat();
    let (roster, counters) = Roster::from_members(&all);
    let (ours, theirs) = counters.split_at(members[0].len());
    with_counters(members, [ours, theirs], (&roster, 0), rulebook)
}

/// Returns the rules for the units of each side, whose counters are those of a roster, with the ELR
/// of those that have none of their own.
pub(super) fn with_counters(
    members: &[Vec<Member>; 2],
    counters: [&[CounterId]; 2],
    (roster, elr): (&Arc<Roster>, u8),
    rulebook: Rulebook,
) -> [Engagement; 2] {
    CombatSide::ALL.map(|side| {
        let side = side as usize;
        engagement(&members[side], counters[side], (roster.clone(), elr), rulebook)
    })
}

/// Returns the rules for the units of one stack, without stages.
pub(crate) fn engagement_of(members: &[Member], rulebook: Rulebook) -> Engagement {
    let (roster, counters) = Roster::from_members(members);
    let engagement = engagement(members, &counters, (roster, 0), rulebook);
    engagement.with_concealed(|place| members[place].concealed)
}

fn engagement(
    own: &[Member],
    counters: &[CounterId],
    (roster, elr): (Arc<Roster>, u8),
    rulebook: Rulebook,
) -> Engagement {
    let unit = |(member, &counter)| Unit::from_member(member, counter, elr);
    Engagement::new(EngagementSetup {
        roster,
        rulebook,
        scene: Scene::default(),
        choices: Choices::default(),
        units: own.iter().zip(counters).map(unit).collect(),
        resident: None,
        stages: Vec::new(),
        sniper: None,
        bystanders: 0,
        telling: OutcomeDetail {
            wording: Wording::Check,
            slots: (1..=own.len() as u8).collect(),
            first_created: own.len() as u8 + 1,
            reported: vec![true; own.len()],
            equals: Vec::new(),
            created: true,
            tells_concealment: true,
            report: Report::Units,
        },
    })
}
