//! Tests of campaigns on abstract ground against `campaign_twin`, a second, slow implementation.
//! Both must agree on the value of a campaign, and on every option of its first decision.

use crate::campaign_twin::random::random_lane;
use crate::campaign_twin::{Act, Objective, OwnRph, Phase, TwinLane, answer};
use crate::random::case_factor;
use lowcrawl::asl::campaign::LaneCampaign;
use lowcrawl::asl::counting::MEASURES;
use lowcrawl::asl::question::RawValue::{self, Boolean, Integer, Text};
use lowcrawl::course::campaign::{CampaignKind, LaneDraft, gain};
use lowcrawl::engine::monitor::Monitor;
use lowcrawl::play::{Best, Valued, objective};
use lowcrawl::schema::Settable as _;

fn words(lane: &TwinLane) -> Vec<(&'static str, String)> {
    let unit = &lane.unit;
    let conditions = [
        (unit.broken && !unit.dm && !unit.disrupted, "broken"),
        (unit.dm, "dm"),
        (unit.disrupted, "disrupted"),
        (unit.wounded, "wounded"),
        (unit.fanatic, "fanatic"),
    ];
    let conditions: Vec<&str> =
        conditions.into_iter().filter(|(holds, _)| *holds).map(|(_, word)| word).collect();
    let slash = if conditions.is_empty() { "" } else { "/" };
    let mut words = vec![
        ("unit", format!("id:{}{slash}{}", unit.id, conditions.join(","))),
        ("here", lane.here.name().to_string()),
        ("cover", lane.cover.name().to_string()),
        (
            "begin",
            match lane.begin {
                Phase::Rally => "rally",
                Phase::Fire => "fire",
                Phase::Rout => "rout",
            }
            .to_string(),
        ),
    ];
    let own = match lane.own_rph {
        OwnRph::Odd => Some("odd"),
        OwnRph::Even => Some("even"),
        OwnRph::Never => Some("never"),
        OwnRph::Unsaid => None,
    };
    words.extend(own.map(|own| ("own-rph", own.to_string())));
    words.extend(lane.leader.map(|leader| ("leader", format!("id:{leader}"))));
    words.extend(lane.leader_here.map(|leader| ("leader-here", format!("id:{leader}"))));
    words
}

/// Converts a lane of the twin to a campaign of `lowcrawl`.
fn campaign_of(lane: &TwinLane) -> LaneCampaign {
    let words = words(lane);
    let mut fields: Vec<(&str, RawValue)> =
        words.iter().map(|(field, text)| (*field, Text(text))).collect();
    fields.extend([
        ("hob", Boolean(false)),
        ("open", Integer(lane.open.into())),
        ("interdicted", Integer(lane.interdicted.into())),
        ("exposed", Boolean(lane.exposed)),
        ("range", Integer(lane.range.into())),
        ("fp", Integer(lane.fp.into())),
        ("cover-fp", Integer(lane.cover_fp.into())),
        ("drm", Integer(lane.drm.into())),
        ("cowering", Boolean(lane.cowering > 0)),
        ("inexperienced", Boolean(lane.cowering == 2)),
        ("elr", Integer(lane.elr.into())),
        ("turns", Integer(lane.turns.into())),
        ("enemy-holds-fire", Boolean(lane.enemy_holds_fire)),
        ("no-quarter", Boolean(lane.no_quarter)),
    ]);
    fields.extend(lane.leader_turn.map(|turn| ("leader-turn", Integer(turn.into()))));
    let mut draft = LaneDraft::new(CampaignKind::Campaign);
    for (field, value) in fields {
        draft.set(field, value).unwrap_or_else(|fault| panic!("{field}: {fault}"));
    }
    draft
        .head
        .campaign(&draft.rules)
        .unwrap_or_else(|blame| panic!("{lane:?}: {}: {}", blame.field, blame.fault))
}

/// Converts an option of `lowcrawl` to the twin's type.
fn act(lane: &LaneCampaign, option: &str) -> Act {
    let hex = |name: &str| {
        let place = lane.orders.names.iter().position(|(_, known)| known == name);
        // The enemy's own hex has no name.
        place.map_or(-1, |place| place as i8)
    };
    match option {
        "no other unit tries to rally" | "does not try to rally" => Act::DoNotTry,
        _ if option.ends_with("tries to rally") => Act::TryToRally,
        "DM is removed" | "loses DM" => Act::RemoveDm,
        "DM is kept" | "keeps DM" => Act::KeepDm,
        "fires" => Act::Fire,
        "holds fire" => Act::HoldFire,
        "holds its place" => Act::HoldPlace,
        "breaks of its own accord" => Act::Break,
        "stays" => Act::Stay,
        "stops" => Act::Stop,
        "routs freely" => Act::RoutFreely,
        _ => {
            let after = |words: &str| option.strip_prefix(words).map(hex);
            let run = after("runs for ").map(Act::RunFor);
            let step = || after("goes to ").map(Act::Step);
            run.or_else(|| after("Low Crawls to ").map(Act::LowCrawl))
                .or_else(step)
                .expect("an option known by its words")
        }
    }
}

fn first_choices(lane: &LaneCampaign, choices: &[Valued]) -> Vec<(Act, f64)> {
    let mut acts: Vec<(Act, f64)> =
        choices.iter().map(|choice| (act(lane, &choice.option), choice.value[0])).collect();
    acts.sort_by_key(|(act, _)| *act);
    acts
}

/// Returns the differences between both answers about a lane.
fn differences(twin: &TwinLane, wanted: Objective) -> Vec<String> {
    let lane = campaign_of(twin);
    let campaign = lane.campaign();
    let objective = objective::Objective::named(wanted.name(), MEASURES, &[]).unwrap();
    let mut best = Best::solve(&campaign, gain(&campaign, &objective), Monitor::NONE).unwrap();
    let mut expected = answer(twin, wanted);
    expected.options.sort_by_key(|(act, _)| *act);
    let actual = best
        .opening()
        .unwrap()
        .map_or(Vec::new(), |decision| first_choices(&lane, &decision.choices));
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12;
    let mut found = Vec::new();
    if !close(best.value[0], expected.value) {
        found.push(format!("value: lowcrawl {}, twin {}", best.value[0], expected.value));
    }
    let alike = actual.len() == expected.options.len()
        && actual
            .iter()
            .zip(&expected.options)
            .all(|((act, a), (twin_act, b))| act == twin_act && close(*a, *b));
    if !alike {
        found.push(format!("options\n  lowcrawl {actual:?}\n  twin     {:?}", expected.options));
    }
    found
}

/// Compares 250 lanes for every objective; `LOWCRAWL_CASES` multiplies their number.
#[test]
fn campaigns_agree_with_their_twin() {
    for seed in 0..250 * case_factor() {
        let lane = random_lane(seed);
        for objective in Objective::ALL {
            let found = differences(&lane, objective);
            assert!(
                found.is_empty(),
                "lane {seed}, {}\n{}\n{lane:?}",
                objective.name(),
                found.join("\n")
            );
        }
    }
}
