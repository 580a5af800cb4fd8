// Parts beside the answer: a second question, one traced sequence, and the dice on the table.
import { die, hopes, pieces, tale, tiles } from "./answer";
import { button, h } from "./dom";
import { Engine, GivenUp, Patient } from "./engine";
import { assign, currentQuestion, isCurrent } from "./figures";
import { percent, points } from "./format";
import { kindOf, request, systemOf, type Question } from "./question";
import type { Answer, Description } from "./types";

/** A question, the text of its request, and its answer. */
export interface Asked {
  question: Question;
  text: string;
  answer: Answer;
}

/** The engine for additional requests, answered one after another. */
export const beside = new Patient();
const weigher = new Engine();

/** Shows two questions side by side, with their answers and the difference. */
export async function weigh(
  description: Description,
  place: HTMLElement,
  a: Asked,
  b: Asked,
  close: () => void,
): Promise<void> {
  const column = (name: string, { answer }: Asked, attributes = {}) =>
    h("div", attributes, h("h3", {}, name), h("p", {}, answer.meta?.question ?? ""), tiles(answer) ?? "");
  const areAlike = a.question.system === b.question.system && a.question.kind === b.question.kind;
  const [before, after] = [hopes(a.answer)[0], hopes(b.answer)[0]];
  const difference =
    before && after && areAlike
      ? h(
          "p",
          { class: "difference" },
          h("strong", {}, points(after.probability - before.probability)),
          ` from A to B (${percent(before.probability)} to ${percent(after.probability)})`,
        )
      : null;
  const weighed = h("div");
  // The first column belongs to a pinned question, which stays visible with any other question.
  const second = column("B", b);
  place.hidden = false;
  place.replaceChildren(
    h("div", { class: "row" }, h("h2", {}, "Side by side"), button("Close", close, { class: "quiet" })),
    h("div", { class: "columns" }, column("A", a, { "data-pinned": a.text }), second),
    difference ?? "",
    weighed,
  );
  for (const part of [second, difference, weighed]) if (part) assign(part, b.text);
  const system = systemOf(description, b.question);
  const kind = kindOf(description, b.question);
  const measure = system.measures.find(({ name }) => !kind.untold?.includes(name));
  if (!measure || kind.tables || !areAlike || a.question.steps.length || b.question.steps.length) return;
  const { options } = b.question;
  const course = (name: string, { fields }: Question) => ({ name, ...fields });
  const wanted = {
    request: "compare",
    system: system.name,
    kind: kind.name,
    objective: measure.name,
    course: [course("A", a.question), course("B", b.question)],
    ...(Object.keys(options).length ? { options } : {}),
  };
  try {
    const compared = await weigher.ask(JSON.stringify(wanted), false, 320);
    if (compared.screen)
      weighed.replaceChildren(
        h(
          "details",
          { open: true },
          h("summary", {}, "how they compare"),
          ...pieces(compared.screen).slice(1),
        ),
      );
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
  }
}

/** Shows one sequence of the current question, roll by roll, in this place of the page. */
export async function tell(
  description: Description,
  now: Question,
  place: HTMLElement,
  sequence = 0,
): Promise<void> {
  const asked = currentQuestion();
  const question = structuredClone(now);
  // Fields of the map's other requests are not part of a sequence.
  const { requests } = kindOf(description, question);
  const isTold = (name: string) => !requests?.question?.includes(name) || requests.trace?.includes(name);
  const fields = Object.fromEntries(Object.entries(question.fields).filter(([name]) => isTold(name)));
  const { text } = request({ ...question, fields, options: {} }, { request: "trace", sequence });
  const told = await beside.ask(text, false, 320);
  place.hidden = false;
  assign(place, asked);
  place.replaceChildren(
    h(
      "div",
      { class: "row" },
      h("h2", {}, "One way it can go"),
      button("Another", () => void tell(description, question, place, sequence + 1)),
      button(
        "Close",
        () => {
          place.hidden = true;
        },
        { class: "quiet" },
      ),
    ),
    told.fault ? h("p", { class: "bad" }, told.fault.message) : tale(told.lines ?? []),
  );
  place.scrollIntoView({ block: "nearest" });
}

/**
 * Shows the dice on the table and the next roll; `lay` is called with the field and its new dice.
 */
export async function pad(
  description: Description,
  question: Question,
  place: HTMLElement,
  lay: (field: string, dice: string) => void,
  say: (text: string) => void,
): Promise<void> {
  const field = kindOf(description, question).fields.find(({ role }) => role === "dice");
  if (!field || question.steps.length) {
    place.replaceChildren();
    return;
  }
  const asked = currentQuestion();
  if (isCurrent(place.querySelector(".table"))) return;
  const { text } = request({ ...question, options: {} }, { request: "trace" });
  const told = await beside.ask(text, false, 320);
  if (asked !== currentQuestion()) return;
  const lying = String(question.fields[field.name] ?? "")
    .split(/\s+/)
    .filter((word) => word !== "");
  const put = (words: string[]) => lay(field.name, words.join(" "));
  const next = told.lines?.find(({ roll }) => roll !== undefined);
  const faces = next?.faces ?? 0;
  const due = next?.roll?.split(":")[0] ?? "";
  const show = (word: string) =>
    h(
      "span",
      { class: "dice" },
      ...word
        .split(",")
        .map((shown, place, all) =>
          die(Number(shown), all.length > 1 || /^[1-6]$/.test(shown) ? 6 : 20, all.length > 1 && place === 0),
        ),
    );
  const isOpen = place.querySelector("details")?.open ?? false;
  let coloured = 0;
  const keypad = h("div", { class: "pad" });
  const keys = (name: string, most: number, isColoured: boolean, press: (shown: number) => void) =>
    h(
      "div",
      { class: "keys", role: "group", "aria-label": name },
      ...Array.from({ length: most }, (_, at) =>
        h(
          "button",
          {
            type: "button",
            class: "key",
            "aria-label": `${name} ${at + 1}`,
            "aria-pressed": isColoured && coloured === at + 1 ? "true" : "false",
            click: () => press(at + 1),
          },
          die(at + 1, most, isColoured),
        ),
      ),
    );
  const draw = () =>
    keypad.replaceChildren(
      ...(faces === 36
        ? [
            keys("coloured die", 6, true, (shown) => {
              coloured = shown;
              draw();
            }),
            keys("white die", 6, false, (shown) => {
              if (coloured) put([...lying, `${coloured},${shown}`]);
              else say("First the coloured die.");
            }),
          ]
        : faces
          ? [keys("die", faces, false, (shown) => put([...lying, String(shown)]))]
          : [h("p", {}, "Nothing more is rolled.")]),
    );
  draw();
  const table = h(
    "div",
    { class: "table" },
    lying.length
      ? h(
          "div",
          { class: "row" },
          ...lying.map(show),
          button("take back", () => put(lying.slice(0, -1)), { class: "quiet" }),
        )
      : null,
    told.fault ? h("p", { class: "fault" }, told.fault.message) : h("p", { class: "hint" }, due),
    keypad,
  );
  place.replaceChildren(
    h(
      "details",
      { open: isOpen || lying.length > 0 },
      h("summary", {}, "What now? Put the dice that were rolled"),
      table,
    ),
  );
  assign(table);
}
