// The form of a kind, made of what it declares: nothing here knows a game.
import { button, h } from "./dom";
import { typed } from "./format";
import { UNSHOWN, kindOf, systemOf, type Question } from "./question";
import type { Description, Field, System, Value } from "./types";
import { units, type UnitsField } from "./units";

/** What fields of units are called in the declaration. */
const UNITS = ["STACK", "LEADER", "UNITS", "UNIT"];
const ONE = ["LEADER", "UNIT"];
/** Dice that lie on the table: they have a place of their own. */
export const DICE = "DICE";
/** Fields that stand in front of the others, after the units. */
const FIRST = 6;

const words = (name: string): string => name.replaceAll("-", " ");
/** Numbers parted by commas or spaces; what is none stays as it was typed. */
function numbers(text: string): Value {
  const all = text.trim().split(/[\s,]+/).map(Number);
  return all.every(Number.isFinite) ? all : text;
}
const about = (text: string): string => text.replace(/^the opposite of `[^`]*`: /, "").replaceAll("`", "");

export interface Form {
  element: HTMLElement;
  /** Says what is wrong with a field; with nothing, that nothing is. */
  blame(path: string | null, message: string): boolean;
  /** Shows what the question has become. */
  show(question: Question): void;
}

/** The form of the kind of a question; `changed` is told of each change, which it makes itself. */
export function form(all: Description, question: Question, changed: () => void): Form {
  const system = systemOf(all, question);
  const kind = kindOf(all, question);
  const faults = new Map<string, { element: HTMLElement; field: HTMLElement }>();
  const shown: ((question: Question) => void)[] = [];
  let current = question;

  const put = (record: (question: Question) => Record<string, Value>, name: string, value: Value | null) => {
    const fields = record(current);
    if (value === null) delete fields[name];
    else fields[name] = value;
    changed();
  };

  /** A field at a path, of a record of the question. */
  function one(field: Field, path: string, record: (question: Question) => Record<string, Value>): HTMLElement {
    const id = `field-${path.replaceAll(".", "-")}`;
    const set = (value: Value | null) => put(record, field.name, value);
    const hint = about(field.about) + (field.rule ? ` (${field.rule})` : "");
    const fault = h("p", { class: "fault", id: `${id}-fault`, hidden: true });
    let control: HTMLElement;
    let isInline = false;
    const watch = (show: (value: Value | undefined) => void) => shown.push((question) => show(record(question)?.[field.name]));
    const { takes } = field;
    if (takes.type === "flag") {
      isInline = true;
      const standard = field.default === "true";
      const box = h("input", { id, type: "checkbox", role: "switch", change: () => set(box.checked ? !standard : null) });
      watch((value) => { box.checked = value !== undefined && value !== standard; });
      control = box;
    } else if (takes.type === "word" || (field.name === "policy" && kind.policies?.length)) {
      const options = takes.words ?? kind.policies!.map(({ name }) => name);
      const select = h("select", { id, change: () => set(select.value || null) },
        h("option", { value: "" }, field.default ? words(field.default) : "–"),
        ...options.filter((word) => word !== field.default).map((word) => h("option", { value: word }, words(word))));
      watch((value) => {
        const text = value === undefined || value === field.default ? "" : String(value);
        // What a link says stays there, even where it is no word of the list.
        if (text && ![...select.options].some((option) => option.value === text)) select.append(h("option", { value: text }, text));
        select.value = text;
      });
      control = select;
    } else if (takes.type === "text" && UNITS.includes(takes.called ?? "")) {
      const part: UnitsField = units(system, id, ONE.includes(takes.called ?? ""), (text) => set(text.trim() === "" ? null : text));
      watch((value) => part.show(value === undefined ? "" : String(value)));
      control = part.element;
    } else if (takes.type === "number") {
      const read = () => {
        const text = typed(input.value);
        return text === "" ? null : text !== "" && Number.isFinite(Number(text)) ? Number(text) : input.value;
      };
      const input = h("input", { id, type: "text", inputmode: "numeric", size: 4, placeholder: field.default ?? "", autocomplete: "off", input: () => set(read()) });
      const step = (by: number) => {
        const now = read() ?? Number(field.default ?? (by > 0 ? (takes.from ?? 0) - 1 : (takes.to ?? 0) + 1));
        if (typeof now !== "number") return;
        const next = Math.min(Math.max(now + by, takes.from ?? -Infinity), takes.to ?? Infinity);
        input.value = String(next);
        set(next);
      };
      watch((value) => {
        const text = value === undefined ? "" : String(value);
        if (typed(input.value) !== text) input.value = text;
      });
      control = h("span", { class: "stepper" },
        button("−", () => step(-1), { "aria-label": `${words(field.name)} less` }), input,
        button("+", () => step(1), { "aria-label": `${words(field.name)} more` }));
    } else {
      const input = h("input", { id, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: field.default ?? "", input: () => set(input.value === "" ? null : takes.type === "numbers" ? numbers(input.value) : input.value) });
      watch((value) => {
        const text = value === undefined ? "" : Array.isArray(value) ? value.join(" ") : String(value);
        if (input.value.trim() !== text) input.value = text;
      });
      control = input;
    }
    const name = takes.type === "flag" ? (field.negation ?? field.name) : field.name;
    const label = h("label", { for: id }, words(name));
    const input = control.id === id ? control : (control.querySelector<HTMLElement>(`#${CSS.escape(id)}`) ?? control);
    input.setAttribute("aria-describedby", `${id}-hint ${id}-fault`);
    faults.set(path, { element: fault, field: input });
    return h("div", { class: `field ${isInline ? "inline" : ""} ${UNITS.includes(takes.called ?? "") ? "wide" : ""}` },
      h("div", { class: "head" }, label, control),
      h("p", { class: "hint", id: `${id}-hint` }, hint), fault);
  }

  const fields = kind.fields.filter((field) => field.takes.called !== DICE);
  const subject = fields.filter(({ name, takes }) => name === kind.subject || (!kind.subject && UNITS.includes(takes.called ?? "")));
  const others = fields.filter((field) => !subject.includes(field));
  const ofFields = (question: Question) => question.fields;
  const section = (title: string, list: Field[], prefix: string, record: (question: Question) => Record<string, Value>) =>
    list.length
      ? h("details", { class: "more" }, h("summary", {}, title), ...list.map((field) => one(field, prefix + field.name, record)))
      : null;
  const best = kind.choices === "best" ? (all.requests.solve ?? []).filter(({ name }) => name !== "step") : [];
  const element = h("form", { class: "form", submit: (event: Event) => event.preventDefault() },
    ...subject.map((field) => one(field, field.name, ofFields)),
    kind.steps?.length ? steps() : null,
    ...best.filter(({ name }) => name === "objective").map((field) => one(objective(field, system), field.name, ofFields)),
    ...others.slice(0, FIRST).map((field) => one(field, field.name, ofFields)),
    section("more", others.slice(FIRST), "", ofFields),
    section("how it is answered", (all.requests.options ?? []), "options.", (question) => question.options));

  /** What happens, step by step. */
  function steps(): HTMLElement {
    const list = h("ol", { class: "steps" });
    const draw = () => {
      list.replaceChildren(...current.steps.map((step, place) => {
        const declared = kind.steps!.find(({ do: what }) => what === step.do);
        return h("li", {},
          h("div", { class: "row" }, h("strong", {}, words(step.do)),
            place > 0 && button("↑", () => move(place, -1), { "aria-label": `step ${place + 1} earlier`, class: "quiet" }),
            button("remove", () => { current.steps.splice(place, 1); changed(); redraw(); }, { "aria-label": `remove step ${place + 1}`, class: "quiet" })),
          ...(declared?.fields ?? []).map((field) => one(field, `step.${place}.${field.name}`, (question) => question.steps[place]?.fields ?? {})));
      }));
    };
    const move = (place: number, by: number) => {
      const [step] = current.steps.splice(place, 1);
      if (step) current.steps.splice(place + by, 0, step);
      changed();
      redraw();
    };
    const before = shown.length;
    const redraw = () => {
      shown.length = before;
      draw();
      shown.slice(before).forEach((show) => show(current));
      shown.push((question) => { if (question.steps.length !== list.children.length) redraw(); });
    };
    redraw();
    return h("div", { class: "field wide" }, h("div", { class: "head" }, h("span", {}, "steps")), list,
      h("div", { class: "chips" }, ...kind.steps!.map(({ do: what }) =>
        button(`+ ${words(what)}`, () => { current.steps.push({ do: what, fields: {} }); changed(); redraw(); }, { class: "chip" }))));
  }

  shown.forEach((show) => show(question));
  return {
    element,
    show(wanted) {
      current = wanted;
      [...shown].forEach((show) => show(wanted));
    },
    blame(path, message) {
      for (const { element, field } of faults.values()) {
        element.hidden = true;
        field.removeAttribute("aria-invalid");
      }
      const place = path === null ? undefined : faults.get(path);
      if (!place) return false;
      place.element.textContent = message;
      place.element.hidden = false;
      place.field.setAttribute("aria-invalid", "true");
      const around = place.field.closest("details");
      if (around) around.open = true;
      return true;
    },
  };
}

/** What can be played for, as words to choose from. */
const objective = (field: Field, system: System): Field => ({
  ...field,
  takes: { type: "word", words: system.measures.map(({ name }) => name) },
});

/** The kinds of a system that a form can show. */
export const kindsOf = (system: System) => system.kinds.filter(({ name }) => name !== UNSHOWN);
