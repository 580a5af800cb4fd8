//! Plans and first moves of platoons: none beats the best one, and an order holds. With
//! `LOWCRAWL_LONG=1` on a hundred random files.

use lowcrawl::play::variations::{NamedQuestion, race, varied};
use lowcrawl::play::{DynQuestion, Form, Game, Objective};
use lowcrawl::{Engine, Options, Trials};
use serde_json::{Value, json};

use crate::random::Rng;

/// The sequences of a comparison, and of the last round of a race.
const TRIALS: u64 = 2_000;
const LAST_ROUND: f64 = 8_000.0;
/// The number of standard errors by which one of many plans may be better by chance.
const SIGMAS: f64 = 4.5;

fn random_files() -> u64 {
    if std::env::var_os("LOWCRAWL_LONG").is_some() { 100 } else { 2 }
}

/// Returns the form of a platoon with the fields of a file.
fn form_of(file: &Value) -> (&'static dyn Game, Box<dyn Form>) {
    let game = crate::GAMES.first();
    let kind = game.kinds().iter().find(|kind| kind.name == "platoon").unwrap();
    let mut form = game.form(kind);
    for (key, value) in file.as_object().unwrap() {
        let declared = form.field(key).unwrap_or_else(|| panic!("no field is called {key}"));
        let text = value.as_str().map_or(value.to_string(), str::to_string);
        form.set(key, declared.takes.value(&text)).unwrap();
    }
    (game, form)
}

fn options(seed: u64) -> Options<'static> {
    let trials = Trials::Number(TRIALS);
    Options { engine: Engine::MonteCarlo, trials, seed, ..Options::default() }
}

/// A file with its variations by one option.
struct Varied {
    base: Box<dyn DynQuestion>,
    courses: Vec<NamedQuestion>,
    objective: Objective,
}

impl Varied {
    fn new(file: &Value, option: &str) -> Varied {
        let (game, form) = form_of(file);
        let base = form.finish().unwrap();
        let words = base.words();
        let text = words.usual_measure().unwrap();
        let objective = Objective::read(&text, game.measures(), &[form.kind()]).unwrap();
        let variations = words.variations(option);
        let courses = variations.iter().map(|one| varied(form.as_ref(), one).unwrap()).collect();
        Varied { base, courses, objective }
    }

    fn names(&self) -> Vec<&str> {
        self.courses.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Returns by how much each course is better than the first, with the standard errors.
    fn leads(&self, courses: &[Box<dyn DynQuestion>]) -> Vec<(f64, f64)> {
        let meta = courses[0].meta(String::new());
        let compared = courses[0].compared(courses, &self.objective, &options(11), meta).unwrap();
        let lead = |course: &lowcrawl::play::ComparedCourse| {
            let difference = course.objective.difference?;
            Some((difference.value, difference.error.map_or(0.0, |error| error.std_error)))
        };
        compared.courses.iter().filter_map(lead).collect()
    }
}

/// Returns a random platoon in front of a place behind.
fn random_file(rng: &mut Rng) -> Value {
    let leader = rng.pick(&["", "german:8-0 + ", "german:9-1 + "]);
    let squads = rng.between(1, 3);
    let terrain = rng.pick(&["woods", "stone-building", "wooden-building"]);
    let link = json!({ "from": "house", "to": "woods", "interdicted": rng.between(0, 2),
        "move": rng.pick(&["move", "advance"]) });
    json!({
        "turns": rng.between(2, 4), "begins": rng.pick(&["own", "enemy"]), "hob": false,
        "objective": rng.pick(&["front holds", "mmc holds", "position held"]),
        "attack": [{ "at": "house", "fp": rng.pick(&[4, 6, 8, 12]), "drm": rng.between(-2, 1) }],
        "side": [{ "name": "own", "elr": rng.between(2, 4), "link": [link], "location": [
            { "name": "house", "terrain": terrain,
                "units": format!("{leader}{squads}x german:4-6-7") },
            { "name": "woods", "terrain": "woods" },
        ] }],
    })
}

#[test]
fn no_plan_beats_the_best_one_beyond_its_error() {
    let mut rng = Rng(31);
    for _ in 0..random_files() {
        let file = random_file(&mut rng);
        let Varied { base, courses, objective } = Varied::new(&file, "best");
        let best = race(courses, &objective, &options(5)).unwrap().remove(0);
        let all = Varied::new(&file, "best");
        let questions: Vec<Box<dyn DynQuestion>> = std::iter::once(best.1)
            .chain([base])
            .chain(Varied::new(&file, "best").courses.into_iter().map(|(_, question)| question))
            .collect();
        let leads = all.leads(&questions);
        assert!(leads.len() > 16, "{}", leads.len());
        for ((lead, error), name) in
            leads.into_iter().zip([&["as it is"], &all.names()[..]].concat())
        {
            // The race itself had an error as well.
            let error = error * (1.0 + TRIALS as f64 / LAST_ROUND).sqrt();
            assert!(
                lead <= SIGMAS * error + 1e-9,
                "{name}: {lead} +- {error}, not {}\n{file}",
                best.0
            );
        }
    }
}

/// A platoon in mid-game: a leader and a broken squad in front, another broken one behind.
fn in_mid_game(begins: &str) -> Value {
    json!({
        "turns": 3, "begins": begins, "hob": false, "objective": "front holds",
        "attack": [{ "at": "house", "fp": 8, "drm": 0 }],
        "side": [{ "name": "own",
            "link": [{ "from": "house", "to": "woods", "interdicted": 1 }], "location": [
            { "name": "house", "terrain": "stone-building",
                "units": "german:8-0 + german:4-6-7 + 2x german:4-6-7/dm" },
            { "name": "woods", "terrain": "woods", "units": "german:4-6-7/broken" },
        ] }],
    })
}

/// Equal units have the same options, and who cannot go anywhere has none.
#[test]
fn first_moves_are_those_of_units_that_can_decide() {
    let moves = Varied::new(&in_mid_game("own"), "best-move");
    let expected = ["1] stays", "1] goes to woods", "3] stays", "3] goes to woods"];
    let plain: Vec<&str> =
        moves.names().iter().map(|name| name.split_once('[').unwrap().1).collect();
    assert_eq!(plain, expected);
}

/// A rollout goes on by the policy, so the best first move is no worse than the policy.
#[test]
fn best_first_move_is_no_worse_than_the_policy() {
    for begins in ["own", "enemy"] {
        let file = in_mid_game(begins);
        let Varied { base, courses, objective } = Varied::new(&file, "best-move");
        let best = race(courses, &objective, &options(5)).unwrap().remove(0);
        let all = Varied::new(&file, "best-move");
        let [(lead, error)] = all.leads(&[base, best.1])[..] else { panic!("one lead") };
        assert!(lead >= -SIGMAS * error - 1e-9, "{}: {lead} +- {error}", best.0);
    }
}

/// Returns the chance that a unit is behind after the first Player Turn, in which the enemy fires or
/// not.
fn chance_behind(fires: bool, order: Value, slot: u64) -> f64 {
    let mut request = in_mid_game("own");
    request["kind"] = "platoon".into();
    request["turns"] = 1.into();
    if !fires {
        request["attack"] = json!([]);
    }
    request["side"][0]["first"] = order;
    request["options"] = json!({ "engine": "monte-carlo", "trials": TRIALS });
    let answer = lowcrawl::answer_json(&request.to_string());
    let rows = answer["rows"].as_array().unwrap_or_else(|| panic!("{request}: {answer}"));
    let meant = rows.iter().filter(|row| row["slot"] == slot && row["place"] == "rear");
    meant.map(|row| row["probability"].as_f64().unwrap()).sum()
}

/// A leader goes where he is sent, and of two broken squads under fire one stays (A10.5).
#[test]
fn first_orders_send_leaders_and_broken_units() {
    let of_leader = |place: &str| chance_behind(false, json!({ "1": place }), 1);
    assert_eq!(of_leader("stay"), 0.0);
    assert!((of_leader("woods") - 1.0).abs() < 1e-12);
    let of_squad = |place: &str, slot: u64| chance_behind(true, json!({ "3": place }), slot);
    let (stays, routs) = (of_squad("stay", 3), of_squad("woods", 3));
    assert!(stays == 0.0 && routs > 0.4, "{stays} {routs}");
    // An order for one unit leaves the other to the policy, by which it routs.
    assert!(of_squad("stay", 4) > 0.4);
    let file = in_mid_game("own");
    for (order, message) in [
        (json!({ "9": "stay" }), "no unit has the slot `9`"),
        (json!({ "1": "wods" }), "no Location is called `wods`"),
    ] {
        let mut request = file.clone();
        request["kind"] = "platoon".into();
        request["side"][0]["first"] = order;
        let answer = lowcrawl::answer_json(&request.to_string());
        assert!(answer.to_string().contains(message), "{answer}");
    }
}

/// Returns the answer to a comparison of a file with its variations.
fn compared_by(vary: &str, file: Value, further: Value) -> Value {
    let mut request = json!({ "request": "compare", "kind": "platoon", "vary": vary, "base": file,
        "options": { "engine": "monte-carlo", "trials": TRIALS, "seed": 5 } });
    let own = further.as_object().unwrap().clone();
    request.as_object_mut().unwrap().extend(own);
    lowcrawl::answer_json(&request.to_string())
}

fn texts<'a>(list: &'a Value, name: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|one| one[name].as_str().unwrap()).collect()
}

#[test]
fn comparison_request_with_vary_compares_the_variations() {
    let file = in_mid_game("own");
    let answer = compared_by("worth", file.clone(), json!({ "objective": "mmc holds" }));
    let all = Varied::new(&file, "worth");
    let expected = [&["as it is"], &all.names()[..]].concat();
    assert_eq!(texts(&answer["courses"], "course"), expected, "{answer}");
    assert_eq!(answer["request"]["vary"], "worth");
    // The canonical request is answered alike.
    let mut again = answer["request"].clone();
    again["options"] = json!({ "engine": "monte-carlo", "trials": TRIALS, "seed": 5 });
    let again = lowcrawl::answer_json(&again.to_string());
    assert_eq!(again["rows"], answer["rows"]);
    assert_eq!(again["verdict"], answer["verdict"]);
}

/// Without an objective it is the usual one of the file. The best of a race stands first behind the
/// file as it is, and the base is told as it was asked.
#[test]
fn race_of_a_request_has_the_usual_objective_and_the_best_first() {
    let mut base = in_mid_game("own");
    base["side.own.elr"] = 4.into();
    let answer = compared_by("best-move", base.clone(), json!({}));
    assert_eq!(answer["request"]["objective"], "front holds", "{answer}");
    assert_eq!(answer["request"]["base"]["side"][0]["elr"], 4);
    let Varied { courses, objective, .. } = Varied::new(&base, "best-move");
    let raced = race(courses, &objective, &options(5)).unwrap();
    let expected: Vec<&str> =
        std::iter::once("as it is").chain(raced.iter().map(|(name, _)| name.as_str())).collect();
    assert_eq!(texts(&answer["courses"], "course"), expected);
    assert_eq!(expected.len(), 5);
}

#[test]
fn vary_of_a_comparison_excludes_courses_and_must_be_known() {
    let file = in_mid_game("own");
    let courses = json!({ "course": [{ "name": "a" }, { "name": "b" }] });
    let of_check = json!({ "kind": "check", "base": { "stack": "4-6-7" } });
    for (vary, further, message) in [
        ("worth", courses, "use either `vary` or `course`"),
        ("wort", json!({}), "no variations are called `wort`"),
        ("worth", of_check, "a `check` has no variations"),
    ] {
        let answer = compared_by(vary, file.clone(), further);
        let fault = answer["fault"]["message"].as_str().unwrap_or_default();
        assert!(fault.contains(message), "{answer}");
    }
}

/// Paths lead to free keys too: ranges by the names of Locations, and first orders by slot.
#[test]
fn paths_set_ranges_and_first_orders() {
    let rows = |further: Value| {
        let front =
            |name: &str, units: &str| json!({ "name": name, "terrain": "woods", "units": units });
        let own = json!([front("field", "german:4-6-7"), front("rear", "german:8-0")]);
        let mut request = json!({ "kind": "firefight", "turns": 1, "hob": false,
            "options": { "engine": "monte-carlo", "trials": TRIALS },
            "side": [
                { "name": "german", "location": own, "link": [{ "from": "field", "to": "rear" }] },
                { "name": "russian", "location": [front("wood", "russian:4-4-7")] },
            ] });
        request.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
        let answer = lowcrawl::answer_json(&request.to_string());
        assert!(answer["rows"].is_array(), "{answer}");
        answer["rows"].clone()
    };
    let far = json!({ "ranges": { "field-wood": 12 } });
    let near = json!({ "ranges": { "field-wood": 3 } });
    let by_path = json!({ "ranges": { "field-wood": 12 }, "ranges.field-wood": 3 });
    assert_eq!(rows(by_path), rows(near.clone()));
    assert_ne!(rows(near.clone()), rows(far));
    let mut stays = near.clone();
    stays["side.german.first.2"] = "stay".into();
    assert_ne!(rows(stays), rows(near));
}
