// Controls for fields, built from the declarations of the fields alone, for any system.
import { button, h } from "./dom";
import { assign } from "./figures";
import { typed } from "./format";
import { kindOf, systemOf, type Question } from "./question";
import type { Description, Field, Value } from "./types";
import { units, type UnitsField } from "./units";

/** The names of value types that are units. */
const UNITS = ["STACK", "LEADER", "UNITS", "UNIT"];
const ONE = ["LEADER", "UNIT"];

export const isOfUnits = ({ takes }: Field): boolean => UNITS.includes(takes.called ?? "");
export const words = (name: string): string => name.replaceAll("-", " ");
/** Numbers separated by commas or spaces; other text is returned unchanged. */
function numbers(text: string): Value {
  const all = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  return all.every(Number.isFinite) ? all : text;
}
/** Words separated by commas; a single word is returned as text. */
function list(text: string): Value {
  const all = text.split(",").map((word) => word.trim());
  return all.length > 1 ? all.filter((word) => word !== "") : text;
}
const about = (text: string): string => text.replace(/^the opposite of `[^`]*`: /, "").replaceAll("`", "");

type Fields = Record<string, Value>;
type Show = (question: Question) => void;

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

/** The controls of a question, which change the question and then report the change. */
export class Controls {
  private readonly faults = new Map<string, { element: HTMLElement; field: HTMLElement }>();
  private watching: Show[] = [];
  private readonly scopes = new Set([this.watching]);

  /** Is called at each change, before the owner of the controls. */
  heard: () => void = () => {};

  constructor(
    readonly all: Description,
    public question: Question,
    private readonly asks: () => void,
  ) {}

  changed(): void {
    this.heard();
    this.asks();
  }

  /** Runs `make`; the controls made in it follow the question until they are dropped. */
  scope<T>(make: () => T): { made: T; drop: () => void } {
    const outer = this.watching;
    const own: Show[] = [];
    this.watching = own;
    this.scopes.add(own);
    const made = make();
    this.watching = outer;
    own.forEach((show) => show(this.question));
    return { made, drop: () => this.scopes.delete(own) };
  }

  watch(show: Show): void {
    this.watching.push(show);
  }

  /** Shows a question in all controls. */
  show(question: Question): void {
    this.question = question;
    for (const scope of [...this.scopes]) scope.forEach((show) => show(question));
  }

  /**
   * Shows a fault at a field, and returns its line if there is one; with `null`, clears all faults.
   */
  blame(path: string | null, message: string): HTMLElement | null {
    for (const { element, field } of this.faults.values()) {
      element.hidden = true;
      field.removeAttribute("aria-invalid");
    }
    const place = path === null ? undefined : this.faults.get(path);
    if (!place?.element.isConnected) return null;
    place.element.textContent = message;
    place.element.hidden = false;
    assign(place.element);
    place.field.setAttribute("aria-invalid", "true");
    const around = place.field.closest("details");
    if (around) around.open = true;
    return place.element;
  }

  /** A line for faults at a path that has no control of its own. */
  line(path: string, field: HTMLElement): HTMLElement {
    const element = h("p", { class: "fault", hidden: true });
    this.faults.set(path, { element, field });
    return element;
  }

  /** The control of a field at a path of the question. */
  one(field: Field, path: string): HTMLElement {
    const system = systemOf(this.all, this.question);
    const kind = kindOf(this.all, this.question);
    const id = `field-${path.replaceAll(".", "-")}`;
    const set = (value: Value | null) => {
      putAt(this.question, path, value);
      this.changed();
    };
    const hint = about(field.about) + (field.rule ? ` (${field.rule})` : "");
    const fault = h("p", { class: "fault", id: `${id}-fault`, hidden: true });
    let control: HTMLElement;
    let isInline = false;
    const watch = (show: (value: Value | undefined) => void) =>
      this.watch((question) => show(valueAt(question, path)));
    const { takes } = field;
    if (takes.type === "flag") {
      isInline = true;
      const standard = field.default === "true";
      const box = h("input", {
        id,
        type: "checkbox",
        role: "switch",
        change: () => set(box.checked ? !standard : null),
      });
      watch((value) => {
        box.checked = value !== undefined && value !== standard;
      });
      control = box;
    } else if (takes.type === "word" || (field.name === "policy" && kind.policies?.length)) {
      const options = takes.words ?? kind.policies!.map(({ name }) => name);
      const select = h(
        "select",
        { id, change: () => set(select.value || null) },
        h("option", { value: "" }, field.default ? words(field.default) : "–"),
        ...options
          .filter((word) => word !== field.default)
          .map((word) => h("option", { value: word }, words(word))),
      );
      watch((value) => {
        const text = value === undefined || value === field.default ? "" : String(value);
        // A value from a link is kept, even if it is not in the list of words.
        if (text && ![...select.options].some((option) => option.value === text))
          select.append(h("option", { value: text }, text));
        select.value = text;
      });
      control = select;
    } else if (takes.type === "text" && isOfUnits(field)) {
      const part: UnitsField = units(system, id, ONE.includes(takes.called ?? ""), (text) =>
        set(text.trim() === "" ? null : text),
      );
      watch((value) => part.show(value === undefined ? "" : String(value)));
      control = part.element;
    } else if (takes.type === "number") {
      const read = () => {
        const text = typed(input.value);
        return text === "" ? null : text !== "" && Number.isFinite(Number(text)) ? Number(text) : input.value;
      };
      const input = h("input", {
        id,
        type: "text",
        inputmode: "numeric",
        size: 4,
        placeholder: field.default ?? "",
        autocomplete: "off",
        input: () => set(read()),
      });
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
      control = h(
        "span",
        { class: "stepper" },
        button("−", () => step(-1), { "aria-label": `${words(field.name)} less` }),
        input,
        button("+", () => step(1), { "aria-label": `${words(field.name)} more` }),
      );
    } else {
      const input = h("input", {
        id,
        type: "text",
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: "false",
        placeholder: field.default ?? "",
        input: () =>
          set(
            input.value === ""
              ? null
              : takes.type === "numbers"
                ? numbers(input.value)
                : takes.type === "list"
                  ? list(input.value)
                  : input.value,
          ),
      });
      watch((value) => {
        const text =
          value === undefined
            ? ""
            : Array.isArray(value)
              ? value.join(takes.type === "list" ? ", " : " ")
              : String(value);
        if (input.value.trim() !== text) input.value = text;
      });
      control = input;
    }
    const name = takes.type === "flag" ? (field.negation ?? field.name) : field.name;
    const label = h("label", { for: id }, words(name));
    const input =
      control.id === id ? control : (control.querySelector<HTMLElement>(`#${CSS.escape(id)}`) ?? control);
    input.setAttribute("aria-describedby", `${id}-hint ${id}-fault`);
    this.faults.set(path, { element: fault, field: input });
    return h(
      "div",
      { class: `field ${isInline ? "inline" : ""} ${isOfUnits(field) ? "wide" : ""}` },
      h("div", { class: "head" }, label, control),
      h("p", { class: "hint", id: `${id}-hint` }, hint),
      fault,
    );
  }
}
