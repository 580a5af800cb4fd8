// The form of a kind of question: its fields, in a convenient order, for any system.
import { Controls, isOfUnits, words } from "./controls";
import { button, h } from "./dom";
import { EXPLAIN, editor } from "./editor";
import { DICE, kindOf, systemOf, type Question } from "./question";
import type { Description, Drawn, Field, Kind, System } from "./types";

/** The number of fields shown directly after the units. */
const FIRST = 6;

export interface Form {
  element: HTMLElement;
  /**
   * Shows a fault at a field, and returns its line if there is one; with `null`, clears all faults.
   */
  blame(path: string | null, message: string): HTMLElement | null;
  /** Shows a question in the form. */
  show(question: Question): void;
  /** Shows the map of an answer if the form has one, and returns whether it does. */
  draw(drawn: Drawn): boolean;
}

/** The form of a question, which changes the question and then calls `changed`. */
export function form(all: Description, question: Question, changed: () => void): Form {
  const system = systemOf(all, question);
  const kind = kindOf(all, question);
  const controls = new Controls(all, question, changed);
  const { made: map } = controls.scope(() => (kind.tables ? editor(kind, controls) : null));
  const one = (field: Field) => controls.one(field, field.name);

  const asked = kind.fields.filter(
    (field) => field.takes.called !== DICE && (!kind.requests || isOfQuestion(kind, field)),
  );
  const subject = asked.filter((field) => field.name === kind.subject || (!kind.subject && isOfUnits(field)));
  // Fields of the request come before the rules by which the map is read.
  const others = asked
    .filter((field) => !subject.includes(field))
    .sort((a, b) => Number(isOfRequest(kind, b)) - Number(isOfRequest(kind, a)));
  const section = (title: string, list: Field[], made: (field: Field) => HTMLElement) =>
    list.length ? h("details", { class: "more" }, h("summary", {}, title), ...list.map(made)) : null;
  const best =
    kind.choices === "best" ? (all.requests.solve ?? []).filter(({ name }) => name === OBJECTIVE) : [];
  const { made: element } = controls.scope(() =>
    h(
      "form",
      { class: "form", submit: (event: Event) => event.preventDefault() },
      map?.element,
      ...subject.map(one),
      kind.steps?.length ? steps(kind, controls) : null,
      ...best.map((field) => one(objective(field, system))),
      ...others
        .slice(0, FIRST)
        .map((field) => one(field.name === OBJECTIVE ? objective(field, system) : field)),
      section("more", others.slice(FIRST), one),
      section("how it is answered", all.requests.options ?? [], (field) =>
        controls.one(field, `options.${field.name}`),
      ),
    ),
  );
  return {
    element,
    show: (wanted) => controls.show(wanted),
    blame: (path, message) => map?.blame(path, message) ?? controls.blame(path, message),
    draw: (drawn) => map?.draw(drawn) ?? false,
  };
}

/** The steps of a sequence, in order. */
function steps(kind: Kind, controls: Controls): HTMLElement {
  const list = h("ol", { class: "steps" });
  const of = ({ steps }: Question) => steps.map((step) => step.do).join(" ");
  let drop = () => {};
  let drawn: string | null = null;
  const draw = () => {
    drop();
    const { steps } = controls.question;
    drawn = of(controls.question);
    const scope = controls.scope(() =>
      steps.map((step, place) =>
        h(
          "li",
          {},
          h(
            "div",
            { class: "row" },
            h("strong", {}, words(step.do)),
            place > 0 &&
              button("↑", () => change(() => steps.splice(place - 1, 0, ...steps.splice(place, 1))), {
                "aria-label": `step ${place + 1} earlier`,
                class: "quiet",
              }),
            button("remove", () => change(() => steps.splice(place, 1)), {
              "aria-label": `remove step ${place + 1}`,
              class: "quiet",
            }),
          ),
          ...(kind.steps!.find((known) => known.do === step.do)?.fields ?? []).map((field) =>
            controls.one(field, `step.${place}.${field.name}`),
          ),
        ),
      ),
    );
    drop = scope.drop;
    list.replaceChildren(...scope.made);
  };
  const change = (how: () => void) => {
    how();
    draw();
    controls.changed();
  };
  controls.watch((question) => {
    if (of(question) !== drawn) draw();
  });
  return h(
    "div",
    { class: "field wide" },
    h("div", { class: "head" }, h("span", {}, "steps")),
    list,
    h(
      "div",
      { class: "chips" },
      ...kind.steps!.map(({ do: what }) =>
        button(
          `+ ${words(what)}`,
          () => change(() => controls.question.steps.push({ do: what, fields: {} })),
          { class: "chip" },
        ),
      ),
    ),
  );
}

/** Whether a field belongs to the request about a map, beside its situation. */
const isOfRequest = ({ requests }: Kind, { name }: Field): boolean =>
  requests?.question?.includes(name) ?? false;
/**
 * Whether the form of a map shows a field. It omits other requests, and `explain` is asked by a
 * tap.
 */
const isOfQuestion = (kind: Kind, field: Field): boolean =>
  field.name !== EXPLAIN &&
  (isOfRequest(kind, field) ||
    !Object.values(kind.requests ?? {}).some((names) => names.includes(field.name)));

/** The field of the objective. */
export const OBJECTIVE = "objective";

/** The field of the objective, with all measures as words to choose from. */
const objective = (field: Field, system: System): Field => ({
  ...field,
  takes: { type: "word", words: system.measures.map(({ name }) => name) },
});
