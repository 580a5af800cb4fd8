// The state of the page: the question, its answer, and what is computed from them.
import { batch, computed, effect, signal, untracked } from "@preact/signals";
import { hopes, sentence } from "./answer";
import { beside, type Asked } from "./aside";
import { Engine, GivenUp } from "./engine";
import { setQuestion } from "./figures";
import * as kept from "./kept";
import { beforehand, blamed, empty, isBegun, kindOf, questionOf, request, systemOf } from "./question";
import { attackOf, setField, type Question } from "./question";
import type { Answer, Description, Fault, Field, Kind, System, Value } from "./types";

/** The greatest length of the fragment of a link. */
export const MOST_LINK = 2000;
/** The pause after which a question is stored and becomes an undo step, in milliseconds. */
const PAUSE = 700;
/** The time after which a running question is shown as such, in milliseconds. */
const LATE = 80;
const MOST_STEPS = 100;

const engine = new Engine();

/** Everything that can be asked; set once, before anything is shown. */
export let description: Description;

export const question = signal<Question>({ system: "", kind: "", fields: {}, steps: [], options: {} });
/** The last answer, which may belong to another question than the current one. */
export const last = signal<Asked | null>(null);
/** Whether every outcome is wanted. */
export const isAll = signal(false);
/** How far a running question is. */
export const progress = signal<{ done: number; expected: number | null } | null>(null);
/** Why there is no answer, with the field to blame. */
export const fault = signal<{ message: string; path: string | null } | null>(null);
export const isStopped = signal(false);
export const pinned = signal<Asked | null>(null);
export const notice = signal<{ text: string; isFault: boolean } | null>(null);
export const recents = signal(kept.recent());
/** The settings of each game that hold for every question about it. */
export const settings = signal(kept.settings());
/** Counts the questions that have stayed for the pause. */
export const settled = signal(0);
export const past = signal<string[]>([]);
export const future = signal<string[]>([]);
/** Counts the wishes to put dice on the table. */
export const dice = signal(0);
/** The width of charts in pixels. */
export const charts = { width: 320 };

export const system = computed(() => systemOf(description, question.value));
export const kind = computed(() => kindOf(description, question.value));
export const isAsked = computed(() => isBegun(kind.value, question.value));
export const asked = computed(() => request(question.value, beforehand(kind.value)));
export const text = computed(() => asked.value.text);
/** The answer to the current question, once it has arrived. */
export const answer = computed(() => (last.value?.text === text.value ? last.value.answer : null));

let number = 0;
let pause = 0;
let isSettled = false;
let closing = 0;
/** The link and the draft with which the page was opened. */
let opened = { fragment: "", draft: null as Record<string, unknown> | null };

/** Begins with a description, and asks each question from then on. */
export function begin(known: Description): void {
  description = known;
  opened = { fragment: location.hash, draft: kept.draft() };
  const first = known.systems[0]!;
  // The page begins with the first kind that has policies, because players ask it most.
  const kind = first.kinds.find(({ choices }) => choices === "policy") ?? first.kinds[0]!;
  question.value = empty(first, kind, settings.value[first.name]);
  effect(() => {
    setQuestion(text.value);
    kept.keepDraft(text.value);
    void isAll.value;
    untracked(() => void ask());
  });
}

/** Changes the question by hand. */
export function change(how: (question: Question) => void): void {
  notice.value = null;
  how(question.value);
  question.value = { ...question.value };
  later();
}

/** Sets a field by hand; a setting of the game is kept for other questions. */
export function set(field: Field, path: string, value: Value | null): void {
  if (field.role === "setting" && path === field.name) {
    const { name } = system.value;
    const { [field.name]: _, ...others } = settings.value[name] ?? {};
    settings.value = {
      ...settings.value,
      [name]: value === null ? others : { ...others, [field.name]: value },
    };
    kept.keepSettings(settings.value);
  }
  change((question) => setField(kind.value, question, field, path, value));
}

/** Replaces the whole question. */
export function put(wanted: Question): void {
  question.value = wanted;
  later();
}

/** Switches to another kind; fields that both kinds have keep their values. */
export function turn(to: System, wanted: Kind): void {
  const before = question.value;
  const was = kind.value;
  const next = empty(to, wanted, settings.value[to.name]);
  if (to.name === before.system) {
    const attack = attackOf(wanted.fields);
    const [by] = attack;
    for (const [name, value] of Object.entries(before.fields)) {
      const under = name === was.subject && wanted.subject ? wanted.subject : name;
      const field = wanted.fields.find((field) => field.name === under);
      const isIdle =
        by !== undefined && before.fields[by.name] === undefined && attack.some((one) => one === field);
      if (field && field.role !== "dice" && !isIdle && !(wanted.tables && under === "map"))
        setField(wanted, next, field, under, value);
    }
    next.options = { ...before.options };
  }
  notice.value = null;
  put(next);
}

function later(): void {
  clearTimeout(pause);
  isSettled = false;
  pause = window.setTimeout(settle, PAUSE);
}

/** Records the question as an undo step after a pause. */
function settle(): void {
  const now = JSON.stringify(question.value);
  if (past.value.at(-1) !== now)
    batch(() => {
      past.value = [...past.value.slice(1 - MOST_STEPS), now];
      future.value = [];
    });
  isSettled = true;
  settled.value++;
  keep();
}

export function undo(): void {
  const [before, now] = past.value.slice(-2);
  if (before === undefined || now === undefined) return;
  past.value = past.value.slice(0, -1);
  future.value = [...future.value, now];
  put(JSON.parse(before) as Question);
}

export function redo(): void {
  const next = future.value.at(-1);
  if (next === undefined) return;
  future.value = future.value.slice(0, -1);
  past.value = [...past.value, next];
  put(JSON.parse(next) as Question);
}

/** Stores a question that has stayed for the pause and has its answer, when both are true. */
function keep(): void {
  const told = answer.value;
  if (!isSettled || !told?.link || !told.meta) return;
  // Questions on maps look alike, so the unit is added.
  const whose = told.map ? hopes(told).map(({ unit }) => `: ${unit}`) : [];
  kept.keep({ line: told.link, about: [told.meta.question, ...whose.slice(0, 1)].join("") });
  recents.value = kept.recent();
}

async function ask(): Promise<void> {
  const now = ++number;
  const { text, places } = asked.value;
  const put = question.value;
  batch(() => {
    progress.value = null;
    fault.value = null;
    isStopped.value = false;
  });
  if (!isAsked.value) {
    engine.stop();
    address("");
    return;
  }
  const ifWanted = (show: () => void) => {
    if (now === number) show();
  };
  const work = (done: number, expected: number | null) =>
    ifWanted(() => {
      if (!answer.value) address("");
      progress.value = { done, expected };
    });
  const late = window.setTimeout(() => work(0, null), LATE);
  try {
    const told = await engine.ask(text, isAll.value, charts.width, work);
    ifWanted(() =>
      batch(() => {
        progress.value = null;
        if (told.fault) refuse(faultText(told.fault), blamed(told.fault, places));
        else take({ question: put, text, answer: told });
      }),
    );
  } catch (error) {
    ifWanted(() => {
      progress.value = null;
      if (!(error instanceof GivenUp)) refuse(failureText(error), null);
    });
  } finally {
    // The timer is cleared even for an outdated question, or its busy sign would stay.
    clearTimeout(late);
  }
}

function refuse(message: string, path: string | null): void {
  fault.value = { message, path };
  address("");
}

function take(told: Asked): void {
  last.value = told;
  const { link } = told.answer;
  address(link && link.length <= MOST_LINK ? `#${link}` : "");
  keep();
}

/** Stops the running question. */
export function stop(): void {
  engine.stop();
  number++;
  progress.value = null;
  isStopped.value = !answer.value;
}

/**
 * Puts the link of the current question into the address; without one a reload shows the draft.
 */
function address(fragment: string): void {
  try {
    if (location.hash !== fragment)
      window.history.replaceState(null, "", fragment || location.pathname + location.search);
  } catch {
    // Safari allows a hundred changes in 30 seconds.
  }
}

/** Shows a notice in view; a fault stays until the next change or until it is closed. */
export function say(text: string, isFault = false): void {
  clearTimeout(closing);
  notice.value = { text, isFault };
  if (!isFault) closing = window.setTimeout(() => (notice.value = null), 4000);
}

/** Pins this question, to be shown beside the next one, or lets it go. */
export function pin(): void {
  const told = last.value;
  if (pinned.value) pinned.value = null;
  else if (told && answer.value) pinned.value = { ...told, question: structuredClone(question.value) };
}

/** Replaces the question by a request from elsewhere, if valid, and returns whether it was. */
export function read(text: string, from: string): boolean {
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    say(`${from} holds no question.`, true);
    return false;
  }
  const fault = (request as { fault?: Fault }).fault;
  const found =
    typeof request === "object" && request !== null && !fault
      ? questionOf(description, request as Record<string, unknown>)
      : null;
  if (found) {
    notice.value = null;
    put(found);
  } else
    say(fault ? `${from}: ${faultText(fault)}.` : `${from} holds something that this page cannot ask.`, true);
  return found !== null;
}

/** Shows the question of the fragment, and returns whether there is one. */
export async function follow(hash = location.hash): Promise<boolean> {
  const fragment = hash.slice(1);
  if (fragment === "") return false;
  let line = fragment;
  try {
    line = decodeURIComponent(fragment);
  } catch {
    // The fragment is used unchanged; the engine reports its fault.
  }
  if ([fragment, line].includes(answer.value?.link ?? "")) return true;
  if (line.length > MOST_LINK) {
    say(`The link is too long: at most ${MOST_LINK} characters are read.`, true);
    return false;
  }
  return read(JSON.stringify(await beside.follow(line)), "The link");
}

/** Shows the question of the link, or the draft that was on screen before a reload. */
export async function start(): Promise<void> {
  const { fragment, draft } = opened;
  if (await follow(fragment)) return;
  const found = draft && questionOf(description, draft);
  if (found) put(found);
}

/** The link of the answer as an address, or `null` if it is too long. */
export const linkOf = ({ link }: Answer): string | null =>
  link && link.length <= MOST_LINK ? new URL(`#${link}`, location.href).href : null;

/** The answer in a sentence, for screen readers. */
export const spoken = computed(() =>
  fault.value ? fault.value.message : answer.value ? sentence(answer.value) : "",
);

export const faultText = ({ message, help }: Fault): string => message + (help ? ` (${help})` : "");
export const failureText = (error: unknown): string =>
  `The engine gave up: ${error instanceof Error ? error.message : String(error)}. Ask for fewer units or phases.`;

/** The engine that describes; the worker then answers questions. */
export const describe = (): Promise<Description> => engine.describe();
