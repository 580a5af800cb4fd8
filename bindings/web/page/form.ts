// The form of a kind: its fields, in an order that is easy to fill in. Nothing here knows a game.
import { Controls, isOfUnits, words } from "./controls";
import { button, h } from "./dom";
import { EXPLAIN, editor } from "./editor";
import { DICE, kindOf, systemOf, type Question } from "./question";
import type { Description, Drawn, Field, Kind, System } from "./types";

/** Fields that stand in front of the others, after the units. */
const FIRST = 6;

export interface Form {
  element: HTMLElement;
  /** Says what is wrong with a field, and gives the line that says it; with nothing, that nothing is. */
  blame(path: string | null, message: string): HTMLElement | null;
  /** Shows what the question has become. */
  show(question: Question): void;
  /** The map of an answer, where there is one; whether it is shown. */
  draw(drawn: Drawn): boolean;
}

/** The form of the kind of a question; `changed` is told of each change, which it makes itself. */
export function form(all: Description, question: Question, changed: () => void): Form {
  const system = systemOf(all, question);
  const kind = kindOf(all, question);
  const controls = new Controls(all, question, changed);
  const { made: map } = controls.scope(() => (kind.tables ? editor(kind, controls) : null));
  const one = (field: Field) => controls.one(field, field.name);

  const asked = kind.fields.filter((field) => field.takes.called !== DICE && (!kind.requests || isOfQuestion(kind, field)));
  const subject = asked.filter((field) => field.name === kind.subject || (!kind.subject && isOfUnits(field)));
  // What is asked of a map stands in front of the rules it is read by.
  const others = asked.filter((field) => !subject.includes(field)).sort((a, b) => Number(isOfRequest(kind, b)) - Number(isOfRequest(kind, a)));
  const section = (title: string, list: Field[], made: (field: Field) => HTMLElement) =>
    list.length ? h("details", { class: "more" }, h("summary", {}, title), ...list.map(made)) : null;
  const best = kind.choices === "best" ? (all.requests.solve ?? []).filter(({ name }) => name === OBJECTIVE) : [];
  const { made: element } = controls.scope(() => h("form", { class: "form", submit: (event: Event) => event.preventDefault() },
    map?.element,
    ...subject.map(one),
    kind.steps?.length ? steps(kind, controls) : null,
    ...best.map((field) => one(objective(field, system))),
    ...others.slice(0, FIRST).map((field) => one(field.name === OBJECTIVE ? objective(field, system) : field)),
    section("more", others.slice(FIRST), one),
    section("how it is answered", all.requests.options ?? [], (field) => controls.one(field, `options.${field.name}`))));
  return {
    element,
    show: (wanted) => controls.show(wanted),
    blame: (path, message) => map?.blame(path, message) ?? controls.blame(path, message),
    draw: (drawn) => map?.draw(drawn) ?? false,
  };
}

/** What happens, step by step. */
function steps(kind: Kind, controls: Controls): HTMLElement {
  const list = h("ol", { class: "steps" });
  const of = ({ steps }: Question) => steps.map((step) => step.do).join(" ");
  let drop = () => {};
  let drawn: string | null = null;
  const draw = () => {
    drop();
    const { steps } = controls.question;
    drawn = of(controls.question);
    const scope = controls.scope(() => steps.map((step, place) =>
      h("li", {},
        h("div", { class: "row" }, h("strong", {}, words(step.do)),
          place > 0 && button("↑", () => change(() => steps.splice(place - 1, 0, ...steps.splice(place, 1))), { "aria-label": `step ${place + 1} earlier`, class: "quiet" }),
          button("remove", () => change(() => steps.splice(place, 1)), { "aria-label": `remove step ${place + 1}`, class: "quiet" })),
        ...(kind.steps!.find((known) => known.do === step.do)?.fields ?? []).map((field) =>
          controls.one(field, `step.${place}.${field.name}`)))));
    drop = scope.drop;
    list.replaceChildren(...scope.made);
  };
  const change = (how: () => void) => {
    how();
    draw();
    controls.changed();
  };
  controls.watch((question) => { if (of(question) !== drawn) draw(); });
  return h("div", { class: "field wide" }, h("div", { class: "head" }, h("span", {}, "steps")), list,
    h("div", { class: "chips" }, ...kind.steps!.map(({ do: what }) =>
      button(`+ ${words(what)}`, () => change(() => controls.question.steps.push({ do: what, fields: {} })), { class: "chip" }))));
}

/** What of a map is asked beside its situation. */
const isOfRequest = ({ requests }: Kind, { name }: Field): boolean => requests?.question?.includes(name) ?? false;
/** The fields of a question about a map: those of other requests are none. Why a hex is a destination is asked by a tap on it. */
const isOfQuestion = (kind: Kind, field: Field): boolean =>
  field.name !== EXPLAIN && (isOfRequest(kind, field) || !Object.values(kind.requests ?? {}).some((names) => names.includes(field.name)));

/** What is played for. */
export const OBJECTIVE = "objective";

/** What can be played for, as words to choose from. */
const objective = (field: Field, system: System): Field => ({
  ...field,
  takes: { type: "word", words: system.measures.map(({ name }) => name) },
});
