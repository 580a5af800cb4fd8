//! Parsing of requests: JSON text, or values already parsed from another notation such as TOML.

mod rout;

pub use asl::scenario::no_files;
pub use rout::{ROUT_KEYS, read_unfinished, request_keys, units};
use serde_json::{Map, Value as Json, json};

use super::link;
use super::request::{Comparison, Request, RoutWanted, Solving};
use answer::options::{DEFAULT_SEED, MAX_TRIALS};
use answer::{Counting, Engine, Options};
use asl::course::phase::SCHEME;
use asl::scenario::Open;
use engine::stratified::MAX_ROLLS;
use engine::text::notation::text_field;
use engine::text::{self, Fault};
use play::files::kinds::{ROUT, game_of, named_kind};
use play::{
    ComparisonTable, Courses, Depth, DynQuestion, Game, PartialQuestion, Registry, RunTable,
    TraceDice, with_goal,
};
use schema::declared::named;
use schema::field::{fields, names, single_spaced, words_of};
use schema::{
    ChoiceMaker, Entry, Field, FieldFault, FieldValue as _, Fields, Keyed, Kind, NoFields, Node,
    Raw, Spanned, Whole, from_json,
};

named! {
    /// The type of a request, as its key `request` names it.
    pub enum RequestKind {
        Question = "question",
        Compare = "compare",
        Solve = "solve",
        Trace = "trace",
        Impact = "impact",
        Reckon = "reckon",
    }
}

words_of!(RequestKind, "WHAT", "");

fields! {
    /// Table of the keys that every request can have in addition to the fields of its question.
    pub table HeadTable {
        "request" request: RequestKind = "question",
            "kind of request: question, compare, solve, trace, impact or reckon";
        "system" system: Option<Spanned<String>>, "the game; default: asl";
        "kind" kind: Option<Spanned<String>>, "the kind of question";
        "id" id: Option<Node>, "your own identifier; the answer repeats it";
        "about" about: Option<String>, "description";
        "options" options: Option<Node>, "options for the computation and the answer";
    }
}

fields! {
    /// Table of the key for steps, which a request about a question can have.
    pub table QuestionTable {
        "step" steps: Option<Node>, "the steps, in order";
    }
}

fields! {
    /// Table of the keys that only a `trace` request can have.
    pub table TraceTable {
        "script" script: Option<Spanned<String>>, "dice to use, written as `3,4 6,6 2`";
        "sequence" sequence: Option<Sequence>,
            "number of the sequence in a Monte Carlo run with this seed, from 0";
    }
}

fields! {
    /// Table of the key that only an `impact` request can have.
    pub table ImpactTable {
        "of" of: Option<Spanned<String>>, "one interpretation or parameter; default: all";
    }
}

with_goal! { fields! {
    /// Table of the keys that only a `solve` request (a best play) can have.
    pub table SolveTable {
        "tree" tree: Option<Whole<1, MOST_DECISIONS>>, "depth of the decision tree, in decisions";
    }
} }
with_goal!(@impl SolveTable);

fields! {
    /// Table of the options that requests have in addition to those of the table `[run]` in files.
    pub table SampledTable {
        "stratify" stratify: Option<Whole<1, { MAX_ROLLS as i64 }>>,
            "number of first rolls whose combinations all get the same number of sequences, which \
                lowers the error; not allowed in a comparison";
        "counts" counts: Option<Spanned<String>>,
            "group of units to count; allowed for a question only (default: the first group that \
            has units)";
        "with-created" with_created: bool,
            "also count units created on the way; allowed for a question only";
    }
}

/// 0-based number of a sequence in a Monte Carlo run.
type Sequence = Whole<0, { MAX_TRIALS as i64 - 1 }>;
/// Key of the identifier that a caller may give a request; the answer repeats it.
pub const ID: &str = HeadTable::id.name;
/// Greatest depth of a decision tree: the number of decisions on one path.
pub const MOST_DECISIONS: i64 = 12;
/// Probability (0 to 1) below which a decision tree sums up the next decisions.
pub const RARE: f64 = 0.005;
/// A parsed request, with the options for answering it.
pub struct ParsedRequest {
    pub request: Request,
    pub options: Options<'static>,
    /// The canonical request: defaults and `options` are omitted, so equivalent requests are equal.
    pub canonical: Json,
    /// The request as parsed, with the positions of its fields in the text.
    pub node: Node,
}

impl ParsedRequest {
    /// Returns the canonical request, with the options as written.
    pub fn whole(&self) -> Json {
        let mut request = self.canonical.clone();
        let is_options = |(key, _): &&Entry| key.value == HeadTable::options.name;
        let options = self.node.entries("a request").unwrap_or_default().iter().find(is_options);
        if let (Some((_, options)), Some(request)) = (options, request.as_object_mut()) {
            request.insert(HeadTable::options.name.to_string(), options.to_json());
        }
        request
    }

    /// Returns the shell command that repeats the request with its options.
    pub fn command(&self) -> String {
        format!("printf %s '{}' | lowcrawl ask -", self.whole().to_string().replace('\'', "'\\''"))
    }
}

/// Moves a fault from a field's text to that of the request; the span is empty without the field.
pub fn blamed(request: &Node, FieldFault { field, fault }: FieldFault) -> Fault {
    let fields = request.entries("a request").unwrap_or_default();
    match fields.iter().find(|(key, _)| text::canonical(&key.value) == field) {
        Some((_, node)) => node.place.blamed(fault),
        None => Fault { span: 0..0, ..fault },
    }
}

/// Parses a request written as JSON or as a link. `open` returns the text of a named table.
///
/// # Errors
///
/// Fails if the text is not a valid request. The span of the fault is its place in `text`, or empty
/// if `text` is a link.
///
/// # Examples
///
/// ```
/// use lowcrawl_api::{games, no_files, read};
///
/// let fault = read(r#"{"kind": "chek"}"#, &games(), &no_files).err().unwrap();
/// assert_eq!(fault.span, 9..15);
/// ```
pub fn read(text: &str, registry: &Registry, open: Open) -> Result<ParsedRequest, Fault> {
    if text.starts_with("v=") {
        // A link holds JSON, never another link.
        let request = from_json::node(&link::json(text)?, "a request")
            .and_then(|node| of_node(&node, registry, open));
        return request.map_err(|fault| Fault { span: 0..0, ..fault });
    }
    of_node(&from_json::node(text, "a request")?, registry, open)
}

/// Parses a request from a parsed value.
///
/// # Errors
///
/// Fails if the value is not a valid request. The span of the fault is in the text of `node`.
pub fn of_node(node: &Node, registry: &Registry, open: Open) -> Result<ParsedRequest, Fault> {
    let read = Keyed::<String, Node, HeadTable>::read_node("a request", node);
    let Keyed { fields: head, entries } = read.map_err(|fault| match node.raw {
        Raw::Table(_) => fault,
        _ => {
            let message =
                format!("a request must be {}, not {}", node.notation.table(), node.kind());
            Fault { message, ..fault }
                .help("{\"kind\": \"rally\", \"stack\": \"4-6-7/dm\"}; write one request per line")
        }
    })?;
    if head.request == RequestKind::Compare {
        return compared(node, &head, registry).map_err(|fault| of_whole(node, fault));
    }
    let game = game_of(registry, head.system.as_ref())?;
    let (mut options, seed, sampled) = self::options(head.options.as_ref())?;
    let rest = Node { raw: Raw::Table(entries), ..node.clone() };
    let of = Of { game, head: &head, node, rest: &rest };
    of.options_fit(of.is_rout(registry))?;
    if of.is_rout(registry) {
        of.reckons(ROUT, false)?;
        let (request, fields) = of.rout(open, seed)?;
        if let Request::Rout(routing) = &request
            && let RoutWanted::Odds { .. } = routing.wanted
        {
            options.counts = Some(sampled.counting(&SCHEME)?);
        }
        let canonical = canonical(head.request, registry, (game, ROUT), fields);
        return Ok(ParsedRequest { request, options, canonical, node: node.clone() });
    }
    let others = further_kinds(registry, game);
    if let (None, Some((key, value))) = (&head.kind, rest_entry(node, QUESTION)) {
        let fault = key.place.fault("`question` is a key of files: a request has the key `kind`");
        let text = value.value().and_then(|value| value.text(QUESTION).ok().map(str::to_string));
        let kind = text.unwrap_or_else(|| game.kinds()[0].name.to_string());
        return Err(fault.help(text_field(HeadTable::kind.name, &kind)));
    }
    let kind = named_kind(game, HeadTable::kind.name, head.kind.as_ref(), others)
        .map_err(|fault| of_whole(node, fault))?;
    let (request, fields) = match head.request {
        RequestKind::Trace => of.trace(kind, seed)?,
        RequestKind::Impact => of.impact(kind)?,
        RequestKind::Reckon => {
            of.reckons(kind.name, !kind.reckoned.is_empty())?;
            let (NoFields, _, question, fields) = of.question(kind)?;
            (Request::Reckoning(question), fields)
        }
        RequestKind::Solve => of.solve(kind)?,
        RequestKind::Question | RequestKind::Compare => {
            let (NoFields, _, question, fields) = of.question(kind)?;
            options.counts = Some(sampled.counting(kind)?);
            (Request::Question(question), fields)
        }
    };
    let canonical = canonical(head.request, registry, (game, kind.name), fields);
    Ok(ParsedRequest { request, options, canonical, node: node.clone() })
}

impl SampledTable {
    fn counting(&self, kind: &'static Kind) -> Result<Counting, Fault> {
        let Some(Spanned { value, place }) = &self.counts else {
            return Ok(Counting { with_created: self.with_created, ..Counting::IMPLICIT });
        };
        let group = kind.group(value).map_err(|fault| place.blamed(fault))?;
        let (group, with_created) = (Some(group), self.with_created);
        Ok(Counting { group, with_created, is_requested: true, ..Counting::IMPLICIT })
    }
}

/// Reads the key `options`. The returned seed is `None` if the request does not give one.
fn options(node: Option<&Node>) -> Result<(Options<'static>, Option<u64>, SampledTable), Fault> {
    let Some(node) = node else { return Ok((Options::default(), None, SampledTable::default())) };
    let Keyed { fields: run, entries } =
        Keyed::<String, Node, RunTable>::read_node(HeadTable::options.name, node)?;
    let (engine, trials, seed) = run.engine_request()?;
    let mut sampled = SampledTable::default();
    for (key, value) in &entries {
        if !SampledTable::knows(&key.value) {
            return Err(unknown_key(node, key, RunTable::ALL.iter().chain(SampledTable::ALL)));
        }
        sampled.set_node(&key.value, value)?;
    }
    let stratify = sampled.stratify.map_or(0, |rolls| rolls.number() as u32);
    let options = Options { engine, trials, seed, stratify, ..Options::default() };
    Ok((options, run.seed.map(|_| seed), sampled))
}

pub(super) fn is_first(registry: &Registry, game: &dyn Game) -> bool {
    game.name() == registry.first().name()
}

/// Returns the kinds of requests that a game has beside those of its questions.
pub(super) fn further_kinds(registry: &Registry, game: &dyn Game) -> &'static [&'static str] {
    if is_first(registry, game) { &[ROUT] } else { &[] }
}

/// Returns the entry of a request with the key `name`.
fn rest_entry<'a>(node: &'a Node, name: &str) -> Option<&'a Entry> {
    node.entries("a request").ok()?.iter().find(|(key, _)| key.value == name)
}

fn unknown_key<'a>(
    node: &Node,
    key: &Spanned<String>,
    known: impl Iterator<Item = &'a Field>,
) -> Fault {
    let fault = key.place.fault(format!("{} has no key `{}`", node.title, key.value));
    fault.expecting(&key.value, known.map(|field| field.name))
}

/// Replaces an empty span of a fault by the span of the whole request.
fn of_whole(node: &Node, fault: Fault) -> Fault {
    if fault.span.is_empty() { node.place.blamed(fault) } else { fault }
}

/// Reads a comparison, from the keys of a comparison file and those of every request.
fn compared(node: &Node, head: &HeadTable, registry: &Registry) -> Result<ParsedRequest, Fault> {
    let is_unknown = |(key, _): &&Entry| {
        key.value != GRID && comparison_keys().all(|field| field.name != key.value)
    };
    if let Some((key, _)) = node.entries("a request")?.iter().find(is_unknown) {
        return Err(unknown_key(node, key, comparison_keys()));
    }
    let game = game_of(registry, head.system.as_ref())?;
    named_kind(game, HeadTable::kind.name, head.kind.as_ref(), &[])?;
    let named = |(key, value): &Entry| {
        let name = match key.value.as_str() {
            "request" => return None,
            "kind" => QUESTION,
            "options" => RUN,
            name => name,
        };
        Some((Spanned { value: name.to_string(), place: key.place.clone() }, value.clone()))
    };
    let entries = node.entries("a request")?.iter().filter_map(named).collect();
    let file = Courses::read(&Node { raw: Raw::Table(entries), ..node.clone() }, true, registry)?;
    let (mut courses, mut courses_json) = (Vec::new(), Vec::new());
    let mut fields: Map<String, Json> = file.objective.entries().collect();
    if let Some(option) = file.variations {
        courses = file.varied(file.shared.form(), option)?;
        let base = file.shared.form().canonical(Some(courses[0].1.as_ref()));
        fields.insert(ComparisonTable::base.name.to_string(), Json::Object(base));
        fields.insert(ComparisonTable::vary.name.to_string(), json!(option.name));
    }
    for course in &file.courses {
        let form = course.question.form();
        let question = file.finish(course, form)?;
        let mut fields = Map::from_iter([("name".to_string(), json!(course.name))]);
        fields.extend(form.canonical(Some(question.as_ref())));
        courses_json.push(Json::Object(fields));
        courses.push((course.name.clone(), question));
    }
    if file.variations.is_none() {
        fields.insert(ComparisonTable::courses.name.to_string(), Json::Array(courses_json));
    }
    let canonical = canonical(head.request, registry, (file.game, file.kind.name), fields);
    let (engine, trials, seed) = file.engine_request;
    let (about, objective) = (file.about.clone(), file.objective.clone());
    let variations = file.variations;
    let request = Request::Compare(Comparison { about, courses, objective, variations });
    let options = Options { engine, trials, seed, ..Options::default() };
    Ok(ParsedRequest { request, options, canonical, node: node.clone() })
}

/// Returns the canonical request: its type, game and kind, then `fields`.
fn canonical(
    request: RequestKind,
    registry: &Registry,
    (game, kind): (&dyn Game, &str),
    fields: Map<String, Json>,
) -> Json {
    let request = (request != RequestKind::Question).then(|| ("request", request.name()));
    let system = (!is_first(registry, game)).then(|| ("system", game.name()));
    let head = request.into_iter().chain(system).chain([("kind", kind)]);
    head.map(|(key, word)| (key.to_string(), json!(word))).chain(fields).collect()
}

/// Returns the keys of a comparison request: those of every request and of a comparison file.
pub(super) fn comparison_keys() -> impl Iterator<Item = &'static Field> {
    let of_file =
        ComparisonTable::ALL.iter().filter(|field| ![QUESTION, RUN].contains(&field.name));
    let is_own = |field: &&Field| ComparisonTable::ALL.iter().all(|known| known.name != field.name);
    HeadTable::ALL.iter().filter(is_own).chain(of_file)
}

const QUESTION: &str = ComparisonTable::question.name;
const RUN: &str = ComparisonTable::run.name;
const GRID: &str = "grid";

/// A request with the fields of its canonical form.
type Read = (Request, Map<String, Json>);
type Entries = Vec<(String, Json)>;
/// The keys of a type of request, its question, and the fields of the question's canonical form.
type WithQuestion<F> = (F, PartialQuestion, Box<dyn DynQuestion>, Map<String, Json>);

/// A request whose keys of [`HeadTable`] have been read.
struct Of<'a> {
    game: &'static dyn Game,
    head: &'a HeadTable,
    node: &'a Node,
    /// The request without the keys of [`HeadTable`].
    rest: &'a Node,
}

impl Of<'_> {
    /// Returns whether the request is about a map: only those of the first registered game can be.
    fn is_rout(&self, registry: &Registry) -> bool {
        is_first(registry, self.game)
            && self.head.kind.as_ref().is_some_and(|kind| text::canonical(&kind.value) == ROUT)
    }

    /// Checks that a kind reckons something if the request asks for that.
    fn reckons(&self, kind: &str, is_reckoned: bool) -> Result<(), Fault> {
        match self.head.request == RequestKind::Reckon && !is_reckoned {
            true => {
                let place = self.head.kind.as_ref().map_or(&self.node.place, |kind| &kind.place);
                Err(Fault { span: place.span.clone(), ..nothing_reckoned(kind) })
            }
            false => Ok(()),
        }
    }

    /// Checks that each option has an effect on this request; `engine = exact` is always allowed.
    fn options_fit(&self, is_rout: bool) -> Result<(), Fault> {
        let Some(options) = &self.head.options else { return Ok(()) };
        let of_counts = [SampledTable::counts.name, SampledTable::with_created.name];
        let is_exact = |value: &Node| {
            matches!(&value.raw,
                Raw::Text(text) if text::canonical(text) != Engine::MonteCarlo.name())
        };
        let (why, seed) = match self.head.request {
            RequestKind::Trace => {
                ("a trace shows one sequence, set by its seed", Some(RunTable::seed.name))
            }
            RequestKind::Solve => ("the best play is always exact", None),
            RequestKind::Reckon => ("a reckoning rolls no dice", None),
            RequestKind::Question if !is_rout || !self.is_explained() => return Ok(()),
            _ => ("only a question counts units", None),
        };
        let does_nothing = |(key, value): &&Entry| match self.head.request {
            RequestKind::Trace | RequestKind::Solve | RequestKind::Reckon => {
                Some(key.value.as_str()) != seed
                    && !(key.value == RunTable::engine.name && is_exact(value))
            }
            _ => of_counts.contains(&text::canonical(&key.value).as_str()),
        };
        match options.entries(HeadTable::options.name)?.iter().find(does_nothing) {
            Some((key, _)) => {
                let message = format!("`{}` has no effect here: {why}", key.value);
                Err(key.place.fault(message).help("remove it"))
            }
            None => Ok(()),
        }
    }

    /// Splits `rest` into the keys of `F`, the steps, and the fields of the question.
    fn rest_after_head<F: Fields>(&self) -> Result<(F, Option<Node>, Vec<Entry>), Fault> {
        let Keyed { fields, mut entries } =
            Keyed::<String, Node, F>::read_node("a request", self.rest)?;
        let place = entries.iter().position(|(key, _)| QuestionTable::knows(&key.value));
        let steps = place.map(|place| entries.remove(place).1);
        Ok((fields, steps, entries))
    }

    /// Reads the keys of `F` and a question; returns its canonical fields too.
    fn question<F: Fields>(&self, kind: &'static Kind) -> Result<WithQuestion<F>, Fault> {
        let (own, steps, entries) = self.rest_after_head()?;
        let written = self.written::<F>(kind, steps.as_ref(), &entries)?;
        let question = written.question().map_err(|fault| of_whole(self.node, fault))?;
        let fields = written.form().canonical(Some(question.as_ref()));
        Ok((own, written, question, fields))
    }

    fn written<F: Fields>(
        &self,
        kind: &'static Kind,
        steps: Option<&Node>,
        entries: &[Entry],
    ) -> Result<PartialQuestion, Fault> {
        let known_keys = [names::<HeadTable>(), names::<QuestionTable>(), names::<F>()].concat();
        PartialQuestion::of_steps(self.game.form(kind), steps)?.with_keys(&known_keys).with(entries)
    }

    fn trace(&self, kind: &'static Kind, seed: Option<u64>) -> Result<Read, Fault> {
        let (keys, _, question, mut fields) = self.question::<TraceTable>(kind)?;
        let dice = keys.dice(seed)?;
        fields.extend(dice_entries(&dice));
        Ok((Request::Trace { question, dice }, fields))
    }

    fn impact(&self, kind: &'static Kind) -> Result<Read, Fault> {
        let (ImpactTable { of }, written, question, mut fields) = self.question(kind)?;
        let readings = written.form().readings(of.as_ref().map(|of| of.value.as_str()));
        let readings = readings.map_err(|fault| match &of {
            Some(of) => of.place.blamed(fault),
            None => of_whole(self.node, fault),
        })?;
        if let Some(id) = of.and_then(|of| written.form().setting(&of.value)) {
            fields.insert("of".to_string(), json!(id));
        }
        Ok((Request::Impact { question, readings }, fields))
    }

    fn solve(&self, kind: &'static Kind) -> Result<Read, Fault> {
        let (table, steps, entries) = self.rest_after_head::<SolveTable>()?;
        let (goal, tree) = (table.goal(), table.tree);
        if let Some(fault) = nothing_to_choose(self.game, kind) {
            let place = self.head.kind.as_ref().map_or(&self.node.place, |kind| &kind.place);
            return Err(Fault { span: place.span.clone(), ..fault });
        }
        let measures = self.game.measures();
        let objective =
            goal.required(measures, &[kind]).map_err(|fault| of_whole(self.node, fault))?;
        objective.check_kind(kind, goal.span())?;
        let written = self.written::<SolveTable>(kind, steps.as_ref(), &entries)?;
        let question = written.finish().map_err(|fault| of_whole(self.node, fault))?;
        question.solvable().map_err(|fault| written.place_fault(fault))?;
        objective.check(question.words()).map_err(|fault| Fault { span: goal.span(), ..fault })?;
        let depth = tree.map_or(Depth::Policy, |depth| Depth::Tree(depth.number() as usize, RARE));
        let mut fields = written.form().canonical(Some(question.as_ref()));
        fields.extend(objective.entries());
        fields.extend(tree.map(|depth| ("tree".to_string(), json!(depth.number()))));
        let about = self.head.about.clone();
        Ok((Request::Solve(Solving { about, question, objective, depth }), fields))
    }
}

fn dice_entries(dice: &TraceDice) -> Entries {
    let entries = match dice {
        TraceDice::Script(script) => {
            [Some((TraceTable::script, json!(single_spaced(script)))), None]
        }
        TraceDice::Seeded { seed, sequence } => {
            let options = || (HeadTable::options, json!({ RunTable::seed.name: seed }));
            [
                (*sequence > 0).then(|| (TraceTable::sequence, json!(sequence))),
                (*seed != DEFAULT_SEED).then(options),
            ]
        }
    };
    entries.into_iter().flatten().map(|(field, value)| (field.name.to_string(), value)).collect()
}

impl TraceTable {
    fn dice(self, seed: Option<u64>) -> Result<TraceDice, Fault> {
        let Some(Spanned { value: script, place }) = self.script else {
            let sequence = self.sequence.map_or(0, |sequence| sequence.number() as u64);
            return Ok(TraceDice::Seeded { seed: seed.unwrap_or(DEFAULT_SEED), sequence });
        };
        let others = [(self.sequence.is_some(), "sequence"), (seed.is_some(), "seed")];
        match others.into_iter().find(|(is_given, _)| *is_given) {
            Some((_, other)) => Err(place.either("script", other)),
            None => Ok(TraceDice::Script(script)),
        }
    }
}

/// Returns the fault for the reckoning of a kind that reckons nothing before its first roll.
pub fn nothing_reckoned(kind: &str) -> Fault {
    Fault::new(format!("a `{kind}` reckons nothing before its first roll"), 0..0)
}

/// Returns the fault for the best play of a kind without choices; `None` if the kind has choices.
pub fn nothing_to_choose(game: &dyn Game, kind: &Kind) -> Option<Fault> {
    let has_choices = |kind: &Kind| kind.play != ChoiceMaker::Unasked;
    (!has_choices(kind)).then(|| {
        let others = game.kinds().iter().filter(|kind| has_choices(kind)).map(|kind| kind.name);
        Fault::new(format!("a `{}` has no choices", kind.name), 0..0)
            .help(format!("kinds with choices: {}", others.collect::<Vec<_>>().join(", ")))
    })
}
