//! Campaigns as questions: on abstract terrain, or of a routing unit on a map.

use std::sync::Arc;

use super::policy::{Followed, RoutPolicy};
use crate::cache::Cache;
use crate::campaign::{Campaign, CampaignOutcome, CampaignState, LaneCampaign, LaneFields};
use crate::catalogue::Counter;
use crate::counting::MEASURES;
use crate::counting::{
    self, CLASSES, FURTHER_ENDS, FinalState, GROUPS, TIES, UNREPORTED, counted, printed_counter,
};
use crate::draft::Switches;
use crate::kinds::ENDS;
use crate::question_info::{RULES, provenance, shared_settings};
use crate::rout::Situation;
use crate::rulebook::Rulebook;
use crate::vocabulary::Status;
use answer::{
    Answerable, CountedUnit, Provenance, QuestionDetails, QuestionFacts, QuestionInfo,
    QuestionTexts, Success, UnitInClass,
};
use engine::EngineError;
use engine::process::{Label, Player, Question, ReportIndex};
use engine::text::Fault;
use play::{
    Draft, DynQuestion, Objective, PlayValue, Playable, QuestionBuilder, QuestionForm, Reward,
};
use schema::declared::declared_words;
use schema::{
    ChoiceMaker, Field, FieldFault, Fields, Group, Json, Kind, Measure, NoFields, NoStep, Other,
    UnitEnd, Word as _,
};

/// Returns the final state of the unit, including its second half-squad, if any (19.13).
pub fn final_state(outcome: &CampaignOutcome, began: &Counter) -> FinalState {
    let state = FinalState::from_outcome(&outcome.unit, Some(began));
    let created_half_squads = f64::from(outcome.created_half_squads);
    FinalState {
        in_cover: if outcome.in_cover { state.survives } else { 0.0 },
        squad_equivalents: state.squad_equivalents + created_half_squads / 2.0,
        cvp: state.cvp - created_half_squads,
        ..state
    }
}

/// Returns the amounts of all measures, or `None` before the end of the last Player Turn.
fn amounts(campaign: &Campaign, outcome: &CampaignOutcome) -> Option<Vec<f64>> {
    let state = || final_state(outcome, campaign.unit().printed());
    (outcome.turn >= campaign.turns()).then(|| state().in_order())
}

/// Returns the value of an outcome of a campaign. It is 0 before the end of the last Player Turn.
pub fn worth(campaign: &Campaign, objective: &Objective, outcome: &CampaignOutcome) -> PlayValue {
    let [survives, squad_equivalents] = TIES;
    amounts(campaign, outcome).map_or_else(PlayValue::default, |amounts| {
        [objective.worth(&amounts), amounts[survives], amounts[squad_equivalents]]
    })
}

/// Returns [`worth`] as a reward function for [`Best`](play::best_play::Best).
pub fn gain<'a>(campaign: &'a Campaign, objective: &'a Objective) -> Reward<'a, CampaignOutcome> {
    Box::new(move |_, outcome| worth(campaign, objective, outcome))
}

/// The form (the fields to fill in) of campaigns on abstract terrain.
#[derive(Clone, Copy, Debug)]
pub struct Lanes;

/// A campaign on abstract terrain whose fields are being filled in.
pub type LaneDraft = Draft<Lanes>;

const FIELDS: &[&[Field]] = &[<LaneFields as Fields>::ALL.split_at(1).1];

declared_words! {
    /// The single kind of question about campaigns.
    pub enum CampaignKind: Kind {
        Campaign = Kind {
            unreported: UNREPORTED.split_at(1).1,
            ..Kind::new(
                "campaign",
                "best play of a broken unit over several Player Turns",
                Some(LaneFields::unit),
                FIELDS,
            )
        }
        .played(ChoiceMaker::Best)
        .ends(ENDS, Status::in_charts)
        .counted(CLASSES, GROUPS)
        .ends_as(FURTHER_ENDS, printed_counter),
    }
}

/// Returns the objective of a campaign that a text names.
///
/// # Errors
///
/// Fails if a campaign has no such measure.
pub fn named_objective(text: &str) -> Result<Objective, Fault> {
    let kind = CampaignKind::Campaign.declared();
    let objective = Objective::named(text, MEASURES, &[kind])?;
    objective.check_kind(kind, 0..text.len())?;
    Ok(objective)
}

/// Starts a question about a campaign of one broken unit, with a method for each field.
pub fn campaign(unit: &str) -> QuestionBuilder<Lanes> {
    QuestionBuilder::new(CampaignKind::Campaign, unit)
}

impl QuestionForm for Lanes {
    type QuestionKind = CampaignKind;
    type Head = LaneFields;
    type StepKind = NoStep;
    type Step = NoFields;
    type Rules = Switches;
    type Question = Campaigning;

    const MEASURES: &'static [Measure] = MEASURES;

    fn finish(draft: &Draft<Lanes>) -> Result<Box<dyn DynQuestion>, FieldFault> {
        draft.prepared()
    }

    fn question(draft: &Draft<Lanes>) -> Result<Campaigning, FieldFault> {
        draft.head.campaign(&draft.rules).map(|lane| Campaigning::of_lane(&lane))
    }

    fn others(draft: &Draft<Lanes>, which: Option<&str>) -> Result<Vec<Other>, Fault> {
        draft.rules.others(draft.head.profile, which)
    }
}

/// A campaign that is ready to be answered.
pub struct Campaigning {
    campaign: Arc<Campaign>,
    /// The checked fields of a campaign on abstract terrain. `None` for a campaign on a map.
    lane: Option<LaneCampaign>,
    words: String,
    notes: Vec<String>,
    followed: Cache<usize, Arc<Followed>>,
}

impl Campaigning {
    /// Builds the question of a campaign on abstract terrain.
    pub fn of_lane(lane: &LaneCampaign) -> Campaigning {
        let question = Campaigning::new(lane.campaign(), lane.in_words(), lane.notes.clone());
        Campaigning { lane: Some(lane.clone()), ..question }
    }

    /// Builds the question of any campaign. `words` describes it, and `notes` lists assumptions.
    pub fn new(campaign: Campaign, words: String, notes: Vec<String>) -> Campaigning {
        let campaign = Arc::new(campaign);
        Campaigning { campaign, lane: None, words, notes, followed: Cache::default() }
    }

    /// Returns the rulebook, whether Heat of Battle is played, and the ELR.
    fn rules(&self) -> (Rulebook, bool, u8) {
        let &Situation { rulebook, heat_of_battle, elr, .. } = self.campaign.situation();
        (rulebook, rulebook.plays_heat_of_battle(heat_of_battle), elr)
    }

    /// Returns the process of the campaign.
    pub fn campaign(&self) -> &Arc<Campaign> {
        &self.campaign
    }

    fn followed(&self, policy: usize) -> Arc<Followed> {
        let named = || RoutPolicy::all().nth(policy).unwrap_or_default();
        self.followed.get(policy, || Arc::new(Followed::new(named())))
    }
}

impl Question for Campaigning {
    type Process = Arc<Campaign>;

    fn whole(&self) -> Arc<Campaign> {
        self.campaign.clone()
    }

    fn label(&self, point: ReportIndex, outcome: &CampaignOutcome) -> Label {
        Label {
            slot: Some(1),
            unit: Some(self.campaign.unit().printed().printed().to_string()),
            phase: Some(point),
            status: Some(outcome.unit.status.name()),
            wounded: outcome.unit.wounded,
            ..Label::default()
        }
    }
}

impl QuestionInfo for Campaigning {
    fn facts(&self) -> QuestionFacts {
        let success =
            Success::of_unit(&["good-order", "pinned"], "in Good Order after the last Player Turn");
        QuestionFacts {
            points: Some("Player Turn"),
            last_point: self.campaign.turns(),
            ranks: &Status::NAMES,
            rules: RULES,
            subject: "the unit ",
            ..QuestionFacts::new(CampaignKind::Campaign.declared(), success)
        }
    }

    fn texts(&self) -> QuestionTexts {
        let (in_words, notes) = (self.words.clone(), self.notes.clone());
        QuestionTexts { in_words, notes, uncertain: Vec::new() }
    }

    fn details(&self) -> QuestionDetails {
        let (rulebook, heat_of_battle, _) = self.rules();
        let shared_settings = shared_settings(rulebook, heat_of_battle);
        QuestionDetails { shared_settings, ..QuestionDetails::default() }
    }

    fn provenance(&self) -> Provenance {
        let (rulebook, heat_of_battle, elr) = self.rules();
        provenance(rulebook, heat_of_battle, elr)
    }

    fn canonical_value(&self, field: &str) -> Option<Json> {
        let (unit, [leader_here, leader]) = self.lane.as_ref()?.units();
        let member = match field {
            _ if field == LaneFields::unit.name => Some(unit),
            _ if field == LaneFields::leader.name => leader,
            _ if field == LaneFields::leader_here.name => leader_here,
            // The notation of the unit includes the broken morale.
            _ if field == LaneFields::broken_morale.name => None,
            _ => return None,
        };
        Some(member.map_or(Json::Null, |member| member.to_string().into()))
    }
}

impl Answerable for Campaigning {
    fn words(&self) -> &dyn QuestionInfo {
        self
    }

    fn counted_units(&self, group: &Group) -> Vec<CountedUnit> {
        counting::counted_units(group, std::iter::once(self.campaign.unit()))
    }

    /// Counts the unit. Units created beside it (19.13) count only as broken squad-equivalents.
    fn counted(
        &self,
        group: &Group,
        end: Option<&UnitEnd>,
        outcome: &CampaignOutcome,
        observe: &mut dyn FnMut(UnitInClass),
    ) {
        let unit = counted(group, end, &outcome.unit, Some(self.campaign.unit()));
        unit.into_iter().for_each(&mut *observe);
        if group.parts > 1 && outcome.created_half_squads > 0 {
            let status = Status::Broken.name();
            observe(UnitInClass {
                slot: 1,
                status,
                parts: outcome.created_half_squads,
                created: false,
                ends_so: false,
            });
        }
    }

    fn slot(&self, _: &CampaignOutcome) -> Option<u8> {
        Some(1)
    }
}

impl Playable for Campaigning {
    const TIES: [usize; 2] = TIES;

    /// Returns every policy that the unit can use, except those with Voluntary Break.
    fn policies(&self) -> Vec<play::playable::Policy> {
        RoutPolicy::all()
            .filter(|policy| !policy.breaks && policy.check(&self.campaign).is_ok())
            .map(RoutPolicy::described)
            .collect()
    }

    fn policy(&self, text: &str) -> Result<usize, Fault> {
        let policy = RoutPolicy::parse(text)?;
        let closed =
            |why| Fault::new(format!("the unit cannot choose `{text}`: {why}"), 0..text.len());
        policy.check(&self.campaign).map_err(closed)?;
        Ok(policy.place())
    }

    fn option(
        &self,
        policy: usize,
        campaign: &Arc<Campaign>,
        state: &CampaignState,
        player: Player,
        options: usize,
    ) -> usize {
        self.followed(policy).option(campaign, state, player, options)
    }

    fn sharing_states_of(&self, first: &Campaigning) -> Option<Campaigning> {
        let (own, other) = (self.lane.as_ref()?, first.lane.as_ref()?);
        let campaign = Arc::new(own.sharing_states_of(other, &first.campaign)?);
        Some(Campaigning { campaign, ..Campaigning::of_lane(own) })
    }

    fn enemy_replies(&self) -> bool {
        self.campaign.enemy_chooses()
    }

    fn most_units(&self) -> u8 {
        1
    }

    fn ending(&self, _: ReportIndex, outcome: &CampaignOutcome) -> Option<(u8, Vec<f64>)> {
        amounts(&self.campaign, outcome).map(|amounts| (1, amounts))
    }

    fn failure(&self) -> Option<EngineError> {
        self.followed.lock().values().find_map(|followed| followed.failure())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::hex::Hex;
    use crate::board::map::Location;
    use crate::catalogue::CATALOGUE;
    use crate::outcome::UnitOutcome;
    use crate::unit::Status;

    /// A second half-squad (19.13) costs no points, but does not count as Good Order.
    #[test]
    fn split_squad_costs_no_points() {
        let counter = |id: &str| CATALOGUE.find(id).unwrap_or_else(|| panic!("no {id}"));
        let squad = CATALOGUE.get(counter("ger_1_467"));
        let unit = UnitOutcome {
            slot: 1,
            status: Status::GoodOrder,
            counter: squad.half_squad,
            fanatic: false,
            heroic: false,
            wounded: None,
            created: None,
            is_away: false,
            is_concealed: false,
        };
        let at = Location::ground(Hex::new(1, 1));
        let split = final_state(
            &CampaignOutcome { turn: 1, unit, at, in_cover: true, created_half_squads: 1 },
            squad,
        );
        assert_eq!((split.squad_equivalents, split.good_order_squads, split.cvp), (1.0, 0.5, 0.0));
        assert_eq!((split.good_order, split.in_cover), (1.0, 1.0));
    }
}
