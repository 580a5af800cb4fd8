//! Requests about files of VASL, which hold their bytes: the kinds `saved` and `luck`.

use base64::Engine as _;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use serde_json::{Map, Value, json};

use answer::Meta;
use answer::json::object;
use engine::text::Fault;
use play::files::kinds::ROUT;
use saves::luck::{LogFile, luck};
use saves::{SaveFault, SaveOptions, nation, situations};
use schema::field::fields;
use schema::{Field, FieldValue as _, Fields as _, Node, Spanned, Whole, from_json};

/// The kind of request that makes situations of a save.
pub const SAVED: &str = "saved";
/// The kind of request that compares the dice of logs with chance.
pub const LUCK: &str = "luck";

fields! {
    /// The keys of a request of the kind `saved`.
    pub table SavedTable {
        "kind" kind: Option<Spanned<String>>, "the kind of the request: saved";
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

/// The keys of the requests about files, by kind, and those of a log of `luck`.
pub(super) const FILE_KEYS: [(&str, &[Field]); 3] =
    [(SAVED, SavedTable::ALL), (LUCK, LuckTable::ALL), (LuckTable::logs.name, LogTable::ALL)];

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
    let texts = |all: &[Spanned<String>]| all.iter().map(|one| one.value.clone()).collect();
    let options = SaveOptions {
        side: table.side.as_ref().map(|side| side.value.clone()),
        mine: mine.transpose()?,
        at_step: table.at_step.as_ref().map(|step| step.value.u16().into()),
        set_unit: texts(&table.set_unit),
        anyway: texts(&table.anyway),
    };
    let save = vasl::saved::Saved::read(&bytes(file)?).map_err(at_file)?;
    let name = table.name.as_deref().unwrap_or("the save");
    let all = situations(&save, name, &options).map_err(|fault| match fault {
        SaveFault::File(fault) => at_file(*fault),
        SaveFault::Option { name, fault, .. } => {
            let place = node.entries("a request").unwrap_or_default().iter();
            let place = place.clone().find(|(key, _)| key.value == name).map(|(_, node)| node);
            place.map_or_else(|| (*fault).clone(), |node| node.place.blamed((*fault).clone()))
        }
    })?;
    let situation = |one: &saves::SavedSituation| {
        let mut request = json!({ SavedTable::kind.name: ROUT });
        if let (Some(request), Some(own)) = (request.as_object_mut(), one.request.as_object()) {
            request.extend(own.clone());
        }
        json!({ "request": request, "notes": one.notes })
    };
    Ok(json!({ "situations": all.iter().map(situation).collect::<Vec<_>>() }))
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
