// The content of the card on top, as a function of the question, its answer and the state.
import { hopeful } from "./answer";
import { isBegun, missing, type Question } from "./question";
import type { Answer, Kind, System } from "./types";

/** A number of the card in words. */
export interface Figure {
  words: string;
  value: number;
}

export type Card =
  | { is: "number"; title: string; main: Figure; also: Figure[]; curve: number[]; before: number | null }
  | { is: "words"; title: string; words: string }
  | { is: "working"; share: number | null; done: number }
  | { is: "fault" | "empty"; words: string };

export interface State {
  /** The answer to the question, if it has arrived. */
  answer: Answer | null;
  /** A question to compare with, and its answer. */
  pinned: { question: Question; answer: Answer } | null;
  progress: { done: number; expected: number | null } | null;
  fault: string | null;
  isStopped: boolean;
}

/** The chance that a question is about first, and its words. */
export function mainOf(system: System, question: Question, answer: Answer): Figure | null {
  const [first, ...others] = hopeful(answer);
  if (first) {
    const unit = others.length ? `${first.unit} [${first.slot}]` : first.unit;
    return {
      words: [unit, first.hoped, first.plan].filter((word) => word).join(" · "),
      value: first.probability,
    };
  }
  const best = Object(answer.headline) as { value?: unknown; choice?: unknown };
  const measure = system.measures.find(({ name }) => name === question.fields.objective);
  const [low, high] = measure?.range ?? [];
  if (typeof best.value !== "number" || low !== 0 || high !== 1) return null;
  return { words: typeof best.choice === "string" ? best.choice : "", value: best.value };
}

/** Further numbers: the next period, the other units, and what happens to at least one of several. */
function further(kind: Kind, answer: Answer, curve: number[]): Figure[] {
  const found: Figure[] = [];
  if (curve.length > 1) found.push({ words: "next", value: curve[0]! });
  const counts = answer.counts ?? [];
  const last = Math.max(...counts.map(({ phase, step }) => phase ?? step ?? 0));
  const at = counts.filter(({ phase, step }) => (phase ?? step ?? 0) === last);
  const [best, ...worse] = kind.classes ?? [];
  if (best && at.some(({ number }) => number > 1))
    for (const { name } of [...worse, best]) {
      const one = at.find((row) => row.class === name && row.number === 1);
      if (one && one.at_least > 0) found.push({ words: `at least one ${name}`, value: one.at_least });
    }
  const others = hopeful(answer).slice(1, 3);
  found.push(
    ...others.map(({ unit, slot, probability }) => ({ words: `${unit} [${slot}]`, value: probability })),
  );
  return found;
}

/** The chances of success of the unit that a question is about first, after each report point. */
export function curveOf(answer: Answer): number[] {
  const slot = hopeful(answer)[0]?.slot;
  return answer.curves?.[String(slot)] ?? [];
}

/** The content of the card. */
export function cardOf(system: System, kind: Kind, question: Question, state: State): Card {
  const { answer, pinned, progress, fault, isStopped } = state;
  if (!isBegun(kind, question)) return { is: "empty", words: hint(kind) };
  if (fault !== null) {
    const empty = missing(kind, question);
    return { is: "fault", words: empty ? `Choose ${empty.label ?? empty.name}.` : fault };
  }
  if (isStopped) return { is: "fault", words: "Stopped. Change something to ask again." };
  if (!answer?.meta) {
    const { done, expected } = progress ?? { done: 0, expected: null };
    return { is: "working", share: expected ? Math.min(1, done / expected) : null, done };
  }
  const title = answer.meta.question;
  const main = mainOf(system, question, answer);
  if (!main) {
    const texts = (answer.screen ?? []).flatMap((piece) => ("text" in piece ? [piece] : []));
    return {
      is: "words",
      title,
      words: (texts.find(({ answer }) => answer) ?? texts[1] ?? texts[0])?.text ?? "",
    };
  }
  const curve = curveOf(answer);
  const isAlike = pinned?.question.system === question.system && pinned.question.kind === question.kind;
  const before = isAlike ? (mainOf(system, pinned.question, pinned.answer)?.value ?? null) : null;
  return { is: "number", title, main, also: further(kind, answer, curve), curve, before };
}

function hint({ subject, tables }: Kind): string {
  if (tables) return "Draw the map, then put down who routs, and his enemies.";
  return subject ? "Tap a unit, or type it." : "Say what is asked.";
}
