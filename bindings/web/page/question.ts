// The question as the form holds it and as the engine reads it.
import { groundOf, hasMap, singled } from "./situation";
import type { Description, Fault, Field, Kind, System, Value } from "./types";

/** The area of a new map. */
export const AREA = "A1-H7";
/** The field of the objective. */
export const OBJECTIVE = "objective";

export interface Step {
  do: string;
  fields: Record<string, Value>;
}

export interface Question {
  system: string;
  kind: string;
  fields: Record<string, Value>;
  steps: Step[];
  options: Record<string, Value>;
}

/** The value that a form puts into a field at first, if any. */
export const initial = ({ initial, takes }: Field): Value | undefined =>
  initial !== undefined && takes.type === "number" ? Number(initial) : initial;

/** The initial values of fields. */
export const initials = (fields: Field[]): Record<string, Value> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = initial(field);
      return value === undefined ? [] : [[field.name, value]];
    }),
  );

/** A new question of a kind, with its initial values and the settings of the game. */
export function empty(system: System, kind: Kind, settings: Record<string, Value> = {}): Question {
  const { fields, choices, untold } = kind;
  const holds =
    (name: string, value: Value) =>
    ({ name: other, takes }: Field) =>
      name === other && (takes.words?.includes(String(value)) ?? true);
  const known = Object.entries(settings).filter(([name, value]) => fields.some(holds(name, value)));
  const measure = system.measures.find(({ name }) => !untold?.includes(name));
  const best: Record<string, Value> = choices === "best" && measure ? { [OBJECTIVE]: measure.name } : {};
  const values = { ...initials(fields), ...Object.fromEntries(known), ...best };
  return withMap(kind, { system: system.name, kind: kind.name, fields: values, steps: [], options: {} });
}

/** Adds an empty map to a question that needs one. */
export function withMap(kind: Kind, question: Question): Question {
  if (kind.tables && !hasMap(question.fields)) groundOf(question.fields).area = AREA;
  return question;
}

/** Whether enough is said for an answer. */
export function isBegun({ subject, steps }: Kind, question: Question): boolean {
  if (subject) return question.fields[subject] !== undefined;
  return steps?.length ? question.steps.length > 0 : Object.keys(question.fields).length > 0;
}

/** The further keys of the request for a kind. */
export const beforehand = ({ choices }: Kind): Record<string, unknown> =>
  choices === "best" ? { request: "solve" } : {};

type Fields = Record<string, Value>;

/** Resolves a path to the record in which it begins and the names from there. */
function led(question: Question, path: string): [Fields | undefined, string[]] {
  const names = path.split(".");
  if (names[0] === "options") return [question.options, names.slice(1)];
  if (names[0] === "step") return [question.steps[Number(names[1])]?.fields, names.slice(2)];
  return [question.fields, names];
}

/** The value at a path. */
export function valueAt(question: Question, path: string): Value | undefined {
  const [record, names] = led(question, path);
  return names.reduce<Value | undefined>(
    (of, name) => (of !== null && typeof of === "object" ? (of as Fields)[name] : undefined),
    record,
  );
}

/** Sets the value at a path, or deletes it if `null`; an emptied table is deleted too. */
export function putAt(question: Question, path: string, value: Value | null): void {
  const [record, names] = led(question, path);
  const put = (fields: Fields, [name, ...rest]: string[]): void => {
    if (name === undefined) return;
    if (rest.length) {
      const inside = (fields[name] ??= {}) as Fields;
      put(inside, rest);
      if (!Array.isArray(fields) && Object.keys(inside).length === 0) delete fields[name];
    } else if (value === null) delete fields[name];
    else fields[name] = value;
  };
  if (record) put(record, names);
}

/** The fields beside the one at a path: those of its step, or of the kind. */
function siblings(kind: Kind, question: Question, path: string): [Field[], string] {
  const names = path.split(".");
  if (names[0] !== "step") return [names.length > 1 ? [] : kind.fields, ""];
  const step = kind.steps?.find((step) => step.do === question.steps[Number(names[1])]?.do);
  return [step?.fields ?? [], `step.${names[1]}.`];
}

/** The firers of an attack and its circumstances, which mean nothing without firers. */
export function attackOf(fields: Field[]): Field[] {
  const from = fields.findIndex(({ role }) => role === "firers");
  const to = fields.findLastIndex(({ role }) => role === "circumstance");
  return from < 0 ? [] : fields.slice(from, to + 1);
}

/** Sets a field by hand: the fields that it replaces are removed, and come back without it. */
export function setField(
  kind: Kind,
  question: Question,
  field: Field,
  path: string,
  value: Value | null,
): void {
  putAt(question, path, value);
  const [all, prefix] = siblings(kind, question, path);
  const put = ({ name }: Field, wanted: Value | null) => putAt(question, prefix + name, wanted);
  for (const other of all) {
    if (field.replaces?.includes(other.name)) put(other, value === null ? (initial(other) ?? null) : null);
    if (value === null || !other.replaces?.includes(field.name)) continue;
    put(other, null);
    if (other.role === "firers") for (const one of attackOf(all)) put(one, null);
  }
}

/** Whether another field that is set replaces the one at a path. */
export function isReplaced(kind: Kind, question: Question, { name }: Field, path: string): boolean {
  const [all, prefix] = siblings(kind, question, path);
  return all.some(
    (other) => other.replaces?.includes(name) && valueAt(question, prefix + other.name) !== undefined,
  );
}

/** The field without which there is no answer, if it is empty. */
export const missing = (kind: Kind, question: Question): Field | undefined =>
  kind.fields.find(
    (field) =>
      field.initial !== undefined &&
      question.fields[field.name] === undefined &&
      !isReplaced(kind, question, field, field.name),
  );

export const systemOf = (all: Description, question: Question): System =>
  all.systems.find(({ name }) => name === question.system) ?? all.systems[0]!;

export const kindOf = (all: Description, question: Question): Kind => {
  const kinds = systemOf(all, question).kinds;
  return kinds.find(({ name }) => name === question.kind) ?? kinds[0]!;
};

/**
 * The place of a field in the text of a request, in bytes: `leader`, `step.0.fp`, `options.trials`.
 */
export interface Place {
  path: string;
  from: number;
  to: number;
}

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** The request of a question as JSON, with the places of its fields; `beside` comes first. */
export function request(
  question: Question,
  beside: Record<string, unknown> = {},
): { text: string; places: Place[] } {
  const places: Place[] = [];
  let text = "";
  let at = 0;
  const put = (part: string) => {
    text += part;
    at += bytes(part);
  };
  const say = (path: string, value: unknown) => {
    if (value === null || typeof value !== "object") {
      put(JSON.stringify(value));
      return;
    }
    const isList = Array.isArray(value);
    put(isList ? "[" : "{");
    Object.entries(value).forEach(([key, part], place) => {
      if (place) put(",");
      const from = at;
      if (!isList) put(`${JSON.stringify(key)}:`);
      const inside = path === "" ? key : `${path}.${key}`;
      say(inside, part);
      places.push({ path: inside, from, to: at });
    });
    put(isList ? "]" : "}");
  };
  const { system, kind, fields, steps, options } = question;
  say("", {
    ...beside,
    system,
    kind,
    ...fields,
    ...(steps.length ? { step: steps.map(({ do: what, fields }) => ({ do: what, ...fields })) } : {}),
    ...(Object.keys(options).length ? { options } : {}),
  });
  return { text, places };
}

/** The innermost field that a fault is about, or `null` if the fault is about the whole. */
export function blamed({ span }: Fault, places: Place[]): string | null {
  if (!span) return null;
  const [from, to] = span;
  // Inner places come first in the list.
  return places.find((place) => from >= place.from && from < place.to && to <= place.to + 1)?.path ?? null;
}

/** Whether the form has a control for the value. */
const isPlain = (value: unknown): value is Value =>
  ["string", "number", "boolean"].includes(typeof value) ||
  (Array.isArray(value) && value.every((one) => typeof one === "number"));
const plain = (entries: unknown): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(Object(entries)).filter((entry): entry is [string, Value] => isPlain(entry[1])),
  );

/** The question of a request, or `null` if the form cannot show all of it. */
export function questionOf(all: Description, request: Record<string, unknown>): Question | null {
  const { request: wanted, system, kind, step, options, id: _, about: __, ...fields } = request;
  if (wanted !== undefined && wanted !== "question" && wanted !== "solve") return null;
  const found = all.systems.find(({ name }) => name === (system ?? all.systems[0]!.name));
  const kinds = found?.kinds.find(({ name }) => name === kind);
  if (!found || !kinds) return null;
  if (kinds.tables) {
    const { about } = request;
    if (typeof about === "string") fields.about = about;
    singled(fields);
  } else if (!Object.values(fields).every(isPlain)) return null;
  const steps = Array.isArray(step)
    ? step.map(({ do: what, ...rest }) => ({ do: String(what), fields: plain(rest) }))
    : [];
  return withMap(kinds, {
    system: found.name,
    kind: kinds.name,
    fields: fields as Record<string, Value>,
    steps,
    options: plain(options),
  });
}
