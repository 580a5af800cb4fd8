// What would help most: each field one step better, asked as a question of its own.
import { signal } from "@preact/signals";
import { beside } from "./aside";
import { mainOf } from "./card";
import { mine } from "./figures";
import { change } from "./format";
import { labelOf, words } from "./fields";
import { beforehand, request, setField, valueAt, type Question } from "./question";
import * as store from "./store";
import type { Field, Value } from "./types";

interface Step {
  field: Field;
  value: Value | null;
  words: string;
}
interface Help extends Step {
  by: number;
}

/** The most steps that are shown. */
const MOST = 6;
/** The time after which no further step is asked, in milliseconds. */
const PATIENCE = 4000;

/** The steps that were found for a question, by its text. */
const found = signal<{ text: string; helps: Help[]; isDone: boolean } | null>(null);

/** The neighbouring values of a field: one more and one less, or the other common ones. */
function steps(field: Field, now: Value | undefined): Step[] {
  const { takes, default: standard, common } = field;
  const label = labelOf(field);
  if (takes.type === "flag") {
    const is = now !== undefined;
    return [{ field, value: is ? null : standard !== "true", words: is ? `without ${label}` : label }];
  }
  if (takes.type === "number") {
    const known = now ?? (standard === null ? undefined : Number(standard));
    if (typeof known !== "number") return [];
    return [known - 1, known + 1]
      .filter((value) => value >= (takes.from ?? -Infinity) && value <= (takes.to ?? Infinity))
      .map((value) => ({
        field,
        value: String(value) === standard ? null : value,
        words: `${label} ${value}`,
      }));
  }
  const shown = now === undefined ? standard : String(now);
  return (common ?? [])
    .filter((value) => value !== shown)
    .map((value) => ({
      field,
      value: value === standard ? null : value,
      words: `${label}: ${takes.type === "word" ? words(value) : value}`,
    }));
}

/** Asks each step of the question on screen, and keeps the best one of each field. */
async function find(): Promise<void> {
  const { value: question } = store.question;
  const [kind, system, text] = [store.kind.value, store.system.value, store.text.value];
  const now = store.answer.value && mainOf(system, question, store.answer.value);
  if (!now) return;
  const until = performance.now() + PATIENCE;
  const best = new Map<string, Help>();
  const show = (isDone: boolean) => {
    const helps = [...best.values()].sort((a, b) => b.by - a.by).slice(0, MOST);
    found.value = { text, helps, isDone };
  };
  show(false);
  const fields = kind.fields.filter(
    ({ role, name }) => role !== "dice" && role !== "setting" && role !== "periods" && name !== kind.subject,
  );
  for (const field of fields)
    for (const step of steps(field, valueAt(question, field.name))) {
      if (performance.now() > until || store.text.value !== text) return show(true);
      const other: Question = structuredClone(question);
      setField(kind, other, field, field.name, step.value);
      const told = await beside.ask(request(other, beforehand(kind)).text, false, 0);
      const main = told.fault ? null : mainOf(system, other, told);
      if (!main || main.value <= now.value) continue;
      const by = main.value - now.value;
      if (by > (best.get(field.name)?.by ?? 0)) {
        best.set(field.name, { ...step, by });
        show(false);
      }
    }
  show(true);
}

/** The button that asks for the steps that help most, and these steps, each of which can be taken. */
export function Helps() {
  const now = found.value?.text === store.text.value ? found.value : null;
  if (!now)
    return (
      <button type="button" class="what-helps" onClick={() => void find()}>
        What helps?
      </button>
    );
  return (
    <div class="helps chips" role="group" aria-label="what helps most" {...mine()}>
      {now.helps.map((help) => (
        <button
          type="button"
          class="chip"
          key={help.field.name}
          onClick={() => store.set(help.field, help.field.name, help.value)}
        >
          {help.words} <data value={String(help.by)}>{change(help.by)}</data>
        </button>
      ))}
      {now.isDone && !now.helps.length ? <span class="hint">Nothing in the form helps.</span> : null}
    </div>
  );
}
