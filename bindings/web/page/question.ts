// The question as the form holds it and as the engine reads it.
import { singled } from "./situation";
import type { Description, Fault, Kind, System, Value } from "./types";

/** The type of the field for dice on the table, which has a place of its own. */
export const DICE = "DICE";

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

export const empty = (system: string, kind: string): Question => ({
  system,
  kind,
  fields: {},
  steps: [],
  options: {},
});

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
  return {
    system: found.name,
    kind: kinds.name,
    fields: fields as Record<string, Value>,
    steps,
    options: plain(options),
  };
}
