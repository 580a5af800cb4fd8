// What is asked, as the form has it and as the engine reads it.
import type { Description, Fault, Kind, System, Value } from "./types";

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

export const empty = (system: string, kind: string): Question => ({ system, kind, fields: {}, steps: [], options: {} });

export const systemOf = (all: Description, question: Question): System =>
  all.systems.find(({ name }) => name === question.system) ?? all.systems[0]!;

export const kindOf = (all: Description, question: Question): Kind => {
  const kinds = systemOf(all, question).kinds;
  return kinds.find(({ name }) => name === question.kind) ?? kinds[0]!;
};

/** Where in the text of a request a field stands, in bytes: `leader`, `step.0.fp`, `options.trials`. */
export interface Place {
  path: string;
  from: number;
  to: number;
}

const bytes = (text: string): number => new TextEncoder().encode(text).length;

/** The request of a question as JSON, and where its fields stand. `beside` is said in front of them. */
export function request(question: Question, beside: Record<string, unknown> = {}): { text: string; places: Place[] } {
  const places: Place[] = [];
  let text = "{";
  const say = (path: string, key: string, value: unknown) => {
    const from = bytes(text);
    text += `${JSON.stringify(key)}:${JSON.stringify(value)}`;
    places.push({ path, from, to: bytes(text) });
    text += ",";
  };
  const close = (bracket: string) => {
    text = (text.endsWith(",") ? text.slice(0, -1) : text) + bracket;
  };
  for (const [key, value] of Object.entries(beside)) say("", key, value);
  say("", "system", question.system);
  say("", "kind", question.kind);
  for (const [key, value] of Object.entries(question.fields)) say(key, key, value);
  if (question.steps.length) {
    text += '"step":[';
    question.steps.forEach((step, place) => {
      text += "{";
      say(`step.${place}`, "do", step.do);
      for (const [key, value] of Object.entries(step.fields)) say(`step.${place}.${key}`, key, value);
      close("},");
    });
    close("],");
  }
  if (Object.keys(question.options).length) {
    text += '"options":{';
    for (const [key, value] of Object.entries(question.options)) say(`options.${key}`, key, value);
    close("},");
  }
  close("}");
  return { text, places };
}

/** The field that a fault is about; none where it is about the whole. */
export function blamed({ span }: Fault, places: Place[]): string | null {
  if (!span) return null;
  const [from, to] = span;
  const place = places.find((place) => place.path !== "" && from >= place.from && from < place.to && to <= place.to + 1);
  return place?.path ?? null;
}

const isValue = (value: unknown): value is Value =>
  ["string", "number", "boolean"].includes(typeof value) || (Array.isArray(value) && value.every((one) => typeof one === "number"));
const values = (entries: unknown): Record<string, Value> =>
  Object.fromEntries(Object.entries(Object(entries)).filter((entry): entry is [string, Value] => isValue(entry[1])));

/** The question of a request, where the form can show all of it. */
export function questionOf(all: Description, request: Record<string, unknown>): Question | null {
  const { request: wanted, system, kind, step, options, id: _, about: __, ...fields } = request;
  if (wanted !== undefined && wanted !== "question" && wanted !== "solve") return null;
  const found = all.systems.find(({ name }) => name === (system ?? all.systems[0]!.name));
  const kinds = found?.kinds.find(({ name }) => name === kind);
  if (!found || !kinds || kinds.name === UNSHOWN || !Object.values(fields).every(isValue)) return null;
  const steps = Array.isArray(step) ? step.map(({ do: what, ...rest }) => ({ do: String(what), fields: values(rest) })) : [];
  return { system: found.name, kind: kinds.name, fields: values(fields), steps, options: values(options) };
}

/** The kind whose question is a map. */
export const UNSHOWN = "rout";
