//! Requests about files of VASL, which hold their bytes: the kinds `saved` and `luck`.

use std::io;

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Map, Value, json};

use answer::Meta;
use answer::json::object;
use asl::crossing::fields::CrossingFields;
use asl::crossing::map::CrossingMap;
use asl::rout::fields::{VASL, VASL_HEXES, VASL_LINES};
use asl::scenario::{Scenario, SituationError, as_written, inline, rally_places, read_unfinished};
use engine::text::Fault;
use play::files::kinds::ROUT;
use saves::luck::{LogFile, luck};
use saves::{
    ROUTS_BEFORE, Save, SaveFault, SaveOptions, SavedQuestion, SavedSituation, nation,
    rally_fields, situations,
};
use schema::field::fields;
use schema::{Field, FieldValue as _, Fields as _, Node, Spanned, Whole, from_json, from_toml};

/// The kind of request that makes situations of a save.
pub const SAVED: &str = "saved";
/// The kind of request that compares the dice of logs with chance.
pub const LUCK: &str = "luck";

fields! {
    /// The keys of a request of the kind `saved`.
    pub table SavedTable {
        "kind" kind: Option<Spanned<String>>, "the kind of the request: saved";
        "question" question: Option<Spanned<String>>,
            "the kind of question to make: rout (default), rally, fire, cc or cross";
        "from" from: Vec<Spanned<String>>, "the Locations of the firers of a fire";
        "at" at: Option<Spanned<String>>, "the target's Location of a fire, or that of a cc";
        "board" boards: Vec<Spanned<SavedBoard>>,
            "the tables of the boards, for all questions but rout";
        "id" id: Option<Node>, "your own identifier; the answer repeats it";
        "file" file: Option<Spanned<String>>, "the bytes of a save or log (.vsav, .vlog) in base64";
        "name" name: Option<String>, "the name of the file in the answer";
        "side" side: Option<Spanned<String>>,
            "nations of the side whose broken units rout; default: both sides";
        "mine" mine: Option<Spanned<String>>,
            "your nation; its concealed and hidden pieces are included";
        "at-step" at_step: Option<Spanned<Whole<0, 65535>>>, "number of steps of a log";
        "set-unit" set_unit: Vec<Spanned<String>>,
            "replacements for counters that the catalogue lacks: `COUNTER=UNIT`";
        "anyway" anyway: Vec<Spanned<String>>,
            "unknown things to ignore: `all`, or words such as `overlay:57H9`";
    }
}

fields! {
    /// A board of a request of the kind `saved`.
    pub table SavedBoard {
        "name" name: Option<String>, "the name of VASL's board, as a rout has it under `vasl`";
        "hexes" hexes: Option<String>, "the table of its hexes as text";
        "los" lines: Option<String>, "the table of its lines of sight as text";
    }
}

fields! {
    /// The keys of a request of the kind `luck`.
    pub table LuckTable {
        "kind" kind: Option<Spanned<String>>, "the kind of the request: luck";
        "id" id: Option<Node>, "your own identifier; the answer repeats it";
        "log" logs: Vec<Spanned<LogTable>>, "the logs and chats";
        "anonymous" anonymous: bool, "call players A, B, ... in the order of their first rolls";
    }
}

fields! {
    /// A log or a chat of a request of the kind `luck`.
    pub table LogTable {
        "name" name: Option<String>, "the name of the file in the answer";
        "file" file: Option<Spanned<String>>, "the bytes of a log (.vlog) in base64";
        "chat" chat: Option<Spanned<String>>, "the text of VASSAL's chat instead";
    }
}

/// The keys of the requests about files, by kind, and those of their boards and logs.
pub(super) const FILE_KEYS: [(&str, &[Field]); 4] = [
    (SAVED, SavedTable::ALL),
    (SavedTable::boards.name, SavedBoard::ALL),
    (LUCK, LuckTable::ALL),
    (LuckTable::logs.name, LogTable::ALL),
];

/// The kinds of questions that a save can be asked.
const QUESTIONS: [&str; 5] = [ROUT, RALLY, FIRE, CC, CROSS];
const RALLY: &str = "rally";
const FIRE: &str = "fire";
const CC: &str = "cc";
const CROSS: &str = "cross";

/// Accepts base64 with and without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Answers a request about files of VASL; `None` for a request of another kind.
///
/// # Errors
///
/// Fails if the request or one of its files is invalid.
pub fn respond(text: &str) -> Option<Result<Value, Fault>> {
    if ![SAVED, LUCK].iter().any(|kind| text.contains(kind)) {
        return None;
    }
    let node = from_json::node(text, "a request").ok()?;
    let entries = node.entries("a request").ok()?;
    let (_, kind) = entries.iter().find(|(key, _)| key.value == SavedTable::kind.name)?;
    match text_of_kind(kind).as_deref() {
        Some(SAVED) => Some(saved(&node)),
        Some(LUCK) => Some(of_luck(&node)),
        _ => None,
    }
}

fn text_of_kind(node: &Node) -> Option<String> {
    node.to_json().as_str().map(str::to_string)
}

fn bytes(file: &Spanned<String>) -> Result<Vec<u8>, Fault> {
    let text: String = file.value.split_whitespace().collect();
    BASE64.decode(text).map_err(|error| file.place.fault(format!("not base64: {error}")))
}

/// A request about a save, as it was read.
struct SavedRequest {
    table: SavedTable,
    options: SaveOptions,
    save: vasl::saved::Saved,
    /// The name of the file.
    name: String,
}

fn saved(node: &Node) -> Result<Value, Fault> {
    let table = SavedTable::read_node("a request", node)?;
    let Some(file) = &table.file else {
        let fault = node.place.fault("`file` is missing: the save in base64");
        return Err(fault);
    };
    let at_file = |fault: Fault| Fault { span: file.place.span.clone(), ..fault };
    let mine = table
        .mine
        .as_ref()
        .map(|mine| nation(&mine.value).map_err(|fault| mine.place.blamed(fault)));
    let options = SaveOptions {
        side: table.side.as_ref().map(|side| side.value.clone()),
        mine: mine.transpose()?,
        at_step: table.at_step.as_ref().map(|step| step.value.u16().into()),
        set_unit: texts(&table.set_unit),
        anyway: texts(&table.anyway),
    };
    let save = vasl::saved::Saved::read(&bytes(file)?).map_err(at_file)?;
    let name = table.name.clone().unwrap_or("the save".to_string());
    let question = table.question.as_ref().map_or(ROUT, |question| &question.value);
    let refused = |fault| match fault {
        SaveFault::File(fault) => at_file(*fault),
        SaveFault::Option { name, fault, .. } => {
            let place = node.entries("a request").unwrap_or_default().iter();
            let place = place.clone().find(|(key, _)| key.value == name).map(|(_, node)| node);
            place.map_or_else(|| (*fault).clone(), |node| node.place.blamed((*fault).clone()))
        }
    };
    let asked = SavedRequest { options, save, name, table: table.clone() };
    match question {
        ROUT => asked.routs().map_err(refused),
        RALLY => asked.rallies().map_err(refused),
        FIRE | CC | CROSS => asked.in_one_place(question).map_err(refused),
        _ => {
            let fault = Fault::new(format!("no save answers `{question}`"), 0..0);
            let place = table.question.as_ref().map_or(&node.place, |question| &question.place);
            Err(place.blamed(fault.expecting(question, QUESTIONS)))
        }
    }
}

fn texts(all: &[Spanned<String>]) -> Vec<String> {
    all.iter().map(|one| one.value.clone()).collect()
}

/// Returns a question as a request, with what a reader should know of it.
fn as_request(kind: &str, fields: impl IntoIterator<Item = (String, Value)>) -> Value {
    let kind = (SavedTable::kind.name.to_string(), json!(kind));
    Value::Object(std::iter::once(kind).chain(fields).collect())
}

fn owned(fields: Vec<(&'static str, Value)>) -> impl Iterator<Item = (String, Value)> {
    fields.into_iter().map(|(name, value)| (name.to_string(), value))
}

impl SavedRequest {
    fn situations(&self) -> Result<Vec<SavedSituation>, SaveFault> {
        situations(&self.save, &self.name, &self.options)
    }

    fn routs(&self) -> Result<Value, SaveFault> {
        let situation = |one: &SavedSituation| {
            let own = one.request.as_object().cloned().unwrap_or_default();
            json!({ "request": as_request(ROUT, own), "notes": one.notes })
        };
        let all: Vec<Value> = self.situations()?.iter().map(situation).collect();
        Ok(json!({ "situations": all }))
    }

    /// Returns the question of each Location with broken units.
    fn rallies(&self) -> Result<Value, SaveFault> {
        let mut questions = Vec::new();
        for saved in self.situations()? {
            let scenario = self.scenario(&saved.request)?;
            saved.check_places(&scenario.situation)?;
            for place in rally_places(&scenario.situation) {
                let request = as_request(RALLY, owned(rally_fields(&scenario, &place)));
                let about = &place.name;
                let notes: Vec<&String> =
                    saved.notes.iter().filter(|note| *note != ROUTS_BEFORE).collect();
                questions.push(json!({ "request": request, "about": about, "notes": notes }));
            }
        }
        Ok(json!({ "questions": questions }))
    }

    /// Returns the question about the Locations of `from` and `at`, or about the side that moves.
    fn in_one_place(&self, kind: &str) -> Result<Value, SaveFault> {
        let position = saves::position(&self.save, self.options.at_step)?;
        let save = Save::new(&position, &self.name, &self.options)?;
        let SavedQuestion { fields, about, notes, .. } = match kind {
            CROSS => {
                let crossing = save.crossing()?;
                let scenario = self.scenario(&crossing.request)?;
                let mut question = save.crossing_fields(&scenario.situation, crossing)?;
                let map = CrossingMap::new(scenario, &|name| inline(name, &|name| self.open(name)));
                let map = map.map_err(SituationError::in_one)?;
                question.fields.push((CrossingFields::map.name, map.to_json()));
                question
            }
            _ => {
                let missing = |name: &str| Fault::new(format!("`{name}` is missing"), 0..0);
                let from = texts(&self.table.from);
                if kind == FIRE && from.is_empty() {
                    return Err(missing(SavedTable::from.name).into());
                }
                let at = self.table.at.as_ref().ok_or_else(|| missing(SavedTable::at.name))?;
                let scenario = self.scenario(&save.map())?;
                let mut question = match kind {
                    FIRE => save.attack(&scenario.situation, &from, &at.value)?,
                    _ => save.combat(&scenario.situation, &at.value)?,
                };
                question.notes.extend(scenario.notes);
                question
            }
        };
        let request = as_request(kind, owned(fields));
        Ok(json!({ "questions": [{ "request": request, "about": about, "notes": notes }] }))
    }

    /// Reads a situation of the save with the tables of the request.
    fn scenario(&self, request: &Value) -> Result<Scenario, Fault> {
        let text = crate::situation::file(request)?;
        let entries = from_toml::file(&text)?;
        let scenario = read_unfinished(&entries, &as_written, &|name| self.open(name), &[]);
        scenario.map_err(SituationError::in_one)
    }

    fn open(&self, name: &str) -> io::Result<String> {
        let wanted = name.strip_prefix(VASL).unwrap_or(name);
        let of =
            |board: &SavedBoard, kind: &str| board.name.as_deref() == wanted.strip_suffix(kind);
        let table = |board: &Spanned<SavedBoard>| {
            let SavedBoard { hexes, lines, .. } = &board.value;
            let hexes = hexes.clone().filter(|_| of(&board.value, VASL_HEXES));
            hexes.or_else(|| lines.clone().filter(|_| of(&board.value, VASL_LINES)))
        };
        self.table.boards.iter().find_map(table).ok_or_else(|| {
            let message = "give the tables of the board under `board`, as `hexes` and `los`";
            io::Error::new(io::ErrorKind::NotFound, message)
        })
    }
}

fn of_luck(node: &Node) -> Result<Value, Fault> {
    let table = LuckTable::read_node("a request", node)?;
    if table.logs.is_empty() {
        return Err(node.place.fault("`log` is missing: the logs and chats"));
    }
    let file = |(number, log): (usize, &Spanned<LogTable>)| {
        let name = log.value.name.clone().unwrap_or_else(|| format!("log {}", number + 1));
        match (&log.value.file, &log.value.chat) {
            (Some(file), None) => Ok(LogFile { name, bytes: bytes(file)?, is_chat: false }),
            (None, Some(chat)) => {
                Ok(LogFile { name, bytes: chat.value.clone().into_bytes(), is_chat: true })
            }
            _ => Err(log.place.fault("expected either `file` or `chat`")),
        }
    };
    let files = table.logs.iter().enumerate().map(file).collect::<Result<Vec<_>, Fault>>()?;
    let at_log = |(log, fault): (usize, Fault)| table.logs[log].place.blamed(fault);
    let found = luck(&files, table.anonymous).map_err(at_log)?;
    let question = format!("the dice of {}", found.names.join(", "));
    let meta = Meta { engine: "exact", ..Meta::new(String::new(), question) };
    let document: Map<String, Value> =
        object(&found.sheet(meta)).map_err(|error| Fault::new(error.to_string(), 0..0))?;
    Ok(Value::Object(document))
}
