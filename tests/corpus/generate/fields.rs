//! Every field with a number and with a word that it cannot be: what is said of it tells what it
//! takes, its range, its words.

use super::dice::Words;
use super::{Request, request};
use crate::store::Runs;

/// A command, the file it names with `FIELD` where the field stands, and the fields.
const FILES: [(&str, &str, &str); 29] = [
    (
        "study run sweep.toml",
        "question = \"fire\"\n[base]\nstack = \"german:4-6-7\"\nFIELD\n",
        SCENE,
    ),
    (
        "study run sweep.toml",
        "question = \"fire\"\n[base]\nstack = \"german:4-6-7\"\nFIELD\n",
        "fp drm cowering no-cowering inexperienced mc i01 i14 i16-rubble heroic-heat commissar-drm",
    ),
    (
        "study run sweep.toml",
        "question = \"check\"\n[base]\nstack = \"german:4-6-7\"\nFIELD\n",
        "mc ptc fp",
    ),
    (
        "study run sweep.toml",
        "question = \"rally\"\n[base]\nstack = \"german:4-6-7\"\nFIELD\n",
        "leader dm phases terrain own-rph keep-dm hexes",
    ),
    (
        "study run sweep.toml",
        "question = \"interdict\"\n[base]\nstack = \"german:4-6-7\"\nFIELD\n",
        "hexes leader voluntary-rout phases",
    ),
    (
        "study run sweep.toml",
        "question = \"rally\"\n[base]\nstack = \"german:4-6-7\"\n[run]\nFIELD\n",
        "engine trials precision seed",
    ),
    (
        "study run sweep.toml",
        "question = \"rally\"\nFIELD\n",
        "system about base grid run step case",
    ),
    (
        "study run sweep.toml",
        "question = \"rally\"\n[base]\nstack = \"german:4-6-7\"\n[grid]\nFIELD\n",
        "phases terrain dm elr",
    ),
    ("sequence chain.toml", "stack = \"german:4-6-7\"\nFIELD\n[[step]]\ndo = \"dm\"\n", SCENE),
    (
        "sequence chain.toml",
        "stack = \"german:4-6-7\"\n[[step]]\ndo = \"fire\"\nFIELD\n",
        "fp drm cowering no-cowering inexperienced if do",
    ),
    (
        "sequence chain.toml",
        "stack = \"german:4-6-7\"\n[[step]]\ndo = \"check\"\nFIELD\n",
        "mc ptc",
    ),
    ("sequence chain.toml", "stack = \"german:4-6-7\"\n[[step]]\ndo = \"break\"\nFIELD\n", "slots"),
    (
        "sequence chain.toml",
        "stack = \"german:4-6-7\"\n[[step]]\ndo = \"eliminate\"\nFIELD\n",
        "slots",
    ),
    (
        "sequence chain.toml",
        "stack = \"german:4-6-7\"\n[[step]]\ndo = \"interdict\"\nFIELD\n",
        "hexes leader voluntary-rout",
    ),
    (
        "sequence chain.toml",
        "stack = \"german:4-6-7\"\n[[step]]\ndo = \"rally\"\nFIELD\n",
        "leader dm phases terrain own-rph keep-dm slots",
    ),
    (
        "solve plan.toml",
        "question = \"campaign\"\nobjective = \"survives\"\n[base]\nunit = \"german:4-6-7/dm\"\nFIELD\n",
        "here exposed open interdicted cover range fp cover-fp drm cowering no-cowering inexperienced leader leader-here leader-turn enemy \
         turns begin own-rph enemy-holds-fire created-stay elr hob no-hob no-quarter profile broken-morale policy i01 captor phases",
    ),
    (
        "compare courses.toml",
        "FIELD\nquestion = \"rally\"\n[base]\nstack = \"german:4-6-7\"\n",
        "objective about system course run",
    ),
    (
        "compare courses.toml",
        "question = \"rally\"\nobjective = \"survives\"\n[base]\nstack = \"german:4-6-7\"\n[[course]]\nname = \"a\"\n[[course]]\nFIELD\n",
        "name policy leader phases joint",
    ),
    (
        "rout map.toml",
        "FIELD\n[map]\narea = \"A1-C3\"\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\n",
        "about profile elr hob no-hob no-quarter night enemy-reveals board los friend enemy campaign i11 i14 i15 i63-keu",
    ),
    (
        "rout map.toml",
        "[map]\narea = \"A1-C3\"\nFIELD\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\n",
        "rows legend terrain hexes building levels roads hexsides smoke blaze foxholes trenches pillboxes minefields ffe prefix",
    ),
    (
        "rout map.toml",
        "[map]\narea = \"A1-C3\"\n[[map.building]]\nFIELD\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\n",
        "hexes type upper-levels stairways rowhouse factory",
    ),
    (
        "rout map.toml",
        "[board]\nFIELD\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\n",
        "hexes los prefix at turned",
    ),
    (
        "rout map.toml",
        "[map]\narea = \"A1-C3\"\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\nFIELD\n",
        "name melee outside emplaced-gun with voluntary-break turn",
    ),
    (
        "rout map.toml",
        "[map]\narea = \"A1-C3\"\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\n[[friend]]\nunit = \"german:8-1\"\nat = \"A2\"\nFIELD\n",
        "name turn melee",
    ),
    (
        "rout map.toml",
        "[map]\narea = \"A1-C3\"\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\n[[enemy]]\nrange = 4\nat = \"A3\"\nFIELD\n",
        "name unit fp weapon concealed melee ti spotted-fire moving stunned vehicle holds-fire turn",
    ),
    (
        "rout map.toml",
        "[map]\narea = \"A1-C3\"\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\n[campaign]\nFIELD\n",
        "turns begin own-rph enemy-holds-fire created-stay objective unit",
    ),
    (
        "fortitude sequence battle.toml",
        "units = \"unit\"\nFIELD\n[[step]]\ndo = \"turn\"\n",
        "enemies orders enemy-orders until staff-lost enemy-staff-lost joint policy damage-rule step",
    ),
    (
        "fortitude sequence battle.toml",
        "units = \"unit\"\nenemies = \"unit\"\n[[step]]\ndo = \"turn\"\n[[step]]\ndo = \"fire\"\nat = 1\nFIELD\n",
        "do by casualties dice value attacks sides",
    ),
    (
        "reaction sequence steps.toml",
        "own = \"unit/reaction=3\"\nFIELD\n[[step]]\ndo = \"turn\"\n",
        "enemy own-morale enemy-morale own-command-dice enemy-command-dice own-rally-dice enemy-rally-dice wild enemy-wild inches effects \
         army joint policy fire-tn step",
    ),
];

const SCENE: &str =
    "elr hob no-hob keu no-keu captor no-quarter enemy enemy-adjacent profile joint";

/// Steps of the other systems: what a step does, and its further fields.
const STEPS: [(&str, &str, &str); 10] = [
    ("fortitude", "turn", "orders at"),
    ("fortitude", "assault", "at by casualties dice value sides"),
    ("fortitude", "staff-destroyed", "of"),
    ("fortitude", "place", "at staff edge own-edge"),
    ("reaction", "volley", "firer dice target may-hold range flank uphill move cover artillery"),
    ("reaction", "command", "side dice staff"),
    ("reaction", "pulse", "staff"),
    ("reaction", "restock", "side dice sixes"),
    ("reaction", "move", "slot dice may-hold"),
    ("reaction", "disperse", "slot"),
];

/// Commands, and options of theirs that take a value.
const OPTIONS: [(&str, &str); 22] = [
    (
        "fire german:4-6-7",
        "elr fp drm enemy profile set engine trials precision seed threads stratify format impact",
    ),
    ("check german:4-6-7", "elr mc enemy profile set"),
    ("rally german:4-6-7", "leader terrain phases own-rph set engine"),
    ("interdict german:4-6-7", "hexes leader"),
    ("trace check german:4-6-7 --mc 0", "seed sequence script"),
    ("solve plan.toml", "objective turns tree elr profile"),
    ("compare courses.toml", "elr engine trials"),
    (
        "rout map.toml",
        "unit order profile set elr explain plans turns objective impact engine trials seed stratify",
    ),
    ("study run sweep.toml", "engine trials precision seed threads stratify"),
    ("fortitude test unit", "cause casualties order policy set"),
    ("fortitude recover unit", "turns until policy set impact"),
    (
        "fortitude fire unit",
        "casualties dice value by by-order attacks turns order orders until policy",
    ),
    (
        "fortitude assault unit",
        "sides casualties dice value by turns order orders enemy-orders until policy",
    ),
    ("trace fortitude test unit --cause morale", "seed script"),
    ("reaction volley panzer-iv", "at-least dice by range move cover wild enemy-wild policy set"),
    (
        "reaction volleys panzer-iv --dice 4",
        "volleys orders by range move cover wild enemy-wild policy",
    ),
    ("reaction rally panzer-iv", "orders turns wild policy"),
    ("reaction command 3", "enemy-dice policy"),
    ("reaction morale 5", "dispersals policy"),
    ("reaction check 5", "policy"),
    ("reaction move panzer-iv", "dice policy"),
    ("trace reaction check 3", "seed script"),
];

/// A good file of that name, for options that are read after it.
fn good(line: &str) -> Option<String> {
    let text = match line.split_whitespace().last()? {
        "plan.toml" => {
            "question = \"campaign\"\nobjective = \"survives\"\n[base]\nunit = \"german:4-6-7/dm\"\nturns = 1\n"
        }
        "courses.toml" => {
            "question = \"check\"\nobjective = \"survives\"\n[base]\nstack = \"german:4-6-7\"\nmc = 1\n[[course]]\nname = \"a\"\n\
             [[course]]\nname = \"b\"\nelr = 0\n"
        }
        "map.toml" => {
            "[map]\narea = \"A1-C3\"\n[[rout]]\nunit = \"german:4-6-7/dm\"\nat = \"A1\"\n"
        }
        "sweep.toml" => "question = \"check\"\n[base]\nstack = \"german:4-6-7\"\nmc = 1\n",
        _ => return None,
    };
    Some(text.to_string())
}

/// Parameters of the two other systems.
const PARAMETERS: [(&str, &str); 2] = [
    (
        "fortitude recover unit",
        "fortitude-die test-rule natural-roll-exceptions level-fortitude level-attack level-defense commander-bonus honor-bonus \
         honor-attack staff-near-fortitude staff-near-attack staff-near-defense staff-near-range staff-lost-penalty staff-loss-test-stacks \
         flank-penalty rear-penalty casualty-fortitude casualty-fortitude-permanent assault-flank-attack assault-flank-defense \
         assault-flank-fortitude assault-rear-attack assault-rear-defense assault-rear-fortitude fatigue-fortitude \
         morale-phase-requires-unengaged fail-adds combined-mode combined-order casualty-tests panicked-nonmelee-fail panicked-melee-fail \
         flee-hexes flee-hexes-cavalry panic-hexes panic-hexes-cavalry panic-exit-destroys flee-order-stacks damage-rule defense-floor \
         assault-each-turn retreat-leaves orders-without-commander orders-that-fire",
    ),
    (
        "reaction rally panzer-iv",
        "fire-tn reaction-tn reaction-tn-suppressed cohesion dp-rule range-tn-close range-tn-effective range-tn-long flank-tn \
         move-dice-double move-dice-triple uphill-dice cover-dice-light cover-dice-medium cover-dice-heavy halted-cover high-suppression \
         forced-back-base forced-back-per-six forced-back-when-already-suppressed morale-loss army-morale command-dice command-re-rolls \
         staff-orders rally-dice rally-tn rally-effect rally-opposed rallies-per-gap activation-limit wild-die-timing army-morale-check \
         army-morale-dice both-at-zero",
    ),
];

/// What hardly a field can be: a number out of all ranges, and no word.
const NEITHER: [&str; 2] = ["99999", "\"zzz\""];

pub fn fields() -> Vec<Request> {
    let mut requests = Vec::new();
    let mut ask = |line: &str, text: Option<String>| {
        let words = Words::of(line);
        let text = text.or(good(line.split(" --").next().unwrap_or_default()));
        let named = words.0.iter().find(|word| word.ends_with(".toml")).cloned();
        let mut request = request("fields", words, [], Runs::Plain);
        request.files.extend(named.zip(text));
        requests.push(request);
    };
    let mut in_file = |line: &str, text: &str, fields: &str| {
        for (field, value) in
            fields.split_whitespace().flat_map(|field| NEITHER.map(|value| (field, value)))
        {
            ask(line, Some(text.replace("FIELD", &format!("{field} = {value}"))));
        }
    };
    FILES.iter().for_each(|(line, text, fields)| in_file(line, text, fields));
    for (system, does, fields) in STEPS {
        let units = if system == "fortitude" {
            "units = \"unit\"\nenemies = \"unit\""
        } else {
            "own = \"unit/reaction=3\""
        };
        in_file(
            &format!("{system} sequence steps.toml"),
            &format!("{units}\n[[step]]\ndo = \"turn\"\n[[step]]\ndo = \"{does}\"\nFIELD\n"),
            fields,
        );
    }
    for (line, options) in OPTIONS {
        options.split_whitespace().for_each(|option| ask(&format!("{line} --{option} zzz"), None));
    }
    for (line, names) in PARAMETERS {
        names.split_whitespace().for_each(|name| ask(&format!("{line} --set {name}=zzz"), None));
    }
    requests
}
