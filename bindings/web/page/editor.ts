// The editor of a map: terrain is tapped, roads and hexsides are drawn, units are put down and
// dragged.
// The declaration of a situation defines the available words.
import { Board, type Piece } from "./board";
import type { Controls } from "./controls";
import { called } from "./counters";
import { button, h, type Child } from "./dom";
import { beside } from "./aside";
import { words } from "./fields";
import { assign, currentQuestion } from "./figures";
import { read } from "./notation";
import { pieces } from "./answer";
import { AREA, request, systemOf, valueAt } from "./question";
import * as map from "./situation";
import { GROUPS, groups, type Group } from "./situation";
import type { Drawn, Fault, Field, Kind, Takes } from "./types";
import { units } from "./units";

/** The field that asks why a hex is a destination. */
export const EXPLAIN = "explain";
/** The time that an answer may take before the map is drawn without it, in milliseconds. */
const SOON = 120;

export interface Editor {
  element: HTMLElement;
  draw(drawn: Drawn): boolean;
  blame(path: string | null, message: string): HTMLElement | null;
}

type Tool =
  | "hand"
  | "unit"
  | "terrain"
  | "building"
  | "hexside"
  | "road"
  | "level"
  | "other"
  | "clear"
  | "why";
/** The label of each tool, and whether a finger draws with it. */
const TOOLS: Record<Tool, [string, boolean]> = {
  hand: ["select", false],
  unit: ["put a unit", false],
  terrain: ["terrain", true],
  building: ["building", true],
  hexside: ["hexside", true],
  road: ["road", true],
  level: ["level", true],
  other: ["smoke, works ..", true],
  clear: ["clear", true],
  why: ["why there?", false],
};

/** The editor of a kind of question that has a map. */
export function editor(kind: Kind, controls: Controls): Editor {
  const declared = (path: string): Field[] => kind.tables?.find((table) => table.path === path)?.fields ?? [];
  const takes = (name: string): Takes | undefined =>
    declared("map").find((field) => field.name === name)?.takes;
  const isOfHexes = ({ takes }: Field) => takes.type === "list" && takes.of?.called === "HEX";
  const features = declared("map")
    .filter(isOfHexes)
    .map(({ name }) => name);
  const terrains = takes("hexes")?.keys?.words ?? [];
  const open = kind.terrain?.[0] ?? terrains[0] ?? "";
  const choice: Record<string, string> = {
    terrain: kind.terrain?.[1] ?? open,
    building: declared("map.building.N").find(({ name }) => name === "type")?.takes.words?.[0] ?? "",
    hexside: takes("hexsides")?.keys?.words?.[0] ?? "",
    other: features[0] ?? "",
    level: "1",
    unit: groups[0]!,
  };
  /** The unit that is put down next, for each list. */
  const next: Record<string, string> = {};
  let tool: Tool = "hand";
  let chosen: string | null = null;
  let version = 0;
  let late = 0;

  const fields = (): map.Fields => controls.question.fields as map.Fields;
  const ground = () => map.groundOf(fields());
  /** The terrain to record for a hex, or `null` if it is the default anyway. */
  const said = (terrain: string): string | null => {
    const { area, rows, terrain: all } = ground();
    return terrain === (all ?? open) &&
      area !== undefined &&
      rows === undefined &&
      fields().board === undefined
      ? null
      : terrain;
  };
  const board = new Board({ drew, chose: (key) => choose(key === chosen ? null : key), moved });
  const fault = controls.line("map", board.element);
  const choices = h("div", { class: "choices" });
  const panel = h("div", { class: "panel", hidden: true });
  const told = h("div", { class: "panel", hidden: true });
  const tools = h(
    "div",
    { class: "chips tools", role: "group", "aria-label": "tools" },
    ...(Object.keys(TOOLS) as Tool[]).map((one) =>
      button(TOOLS[one][0], () => take(one), { class: "chip", "data-tool": one }),
    ),
  );
  const size = h(
    "div",
    { class: "row" },
    button("+ column", () => grow(1, 0), { class: "quiet" }),
    button("+ row", () => grow(0, 1), { class: "quiet" }),
    button(
      "new map",
      () => {
        for (const name of Object.keys(fields())) delete fields()[name];
        begin();
        controls.changed();
      },
      { class: "quiet" },
    ),
  );
  const text = textual();

  /** Updates the map after a change. */
  function follow(): void {
    version++;
    stand();
    text.show();
    later();
  }

  function begin(): void {
    if (!map.hasMap(fields())) ground().area = AREA;
  }

  const isAsked = (): boolean => map.unitsOf(fields(), "rout").length > 0;

  // The map.

  /** Draws the map without an answer, if none comes soon. */
  function later(): void {
    clearTimeout(late);
    late = window.setTimeout(() => void lay(), isAsked() ? SOON : 0);
  }

  async function lay(): Promise<void> {
    const now = version;
    const laid = await beside.lay(request(controls.question).text);
    if (now !== version) return;
    if (!("fault" in laid)) show(laid);
    // The answer itself reports faults of a complete question.
    if (isAsked()) return;
    if ("fault" in laid) say(laid.fault);
    else controls.blame(null, "");
  }

  function say({ message, help }: Fault): void {
    controls.blame("map", message + (help ? ` (${help})` : ""));
  }

  function show(drawn: Drawn): void {
    board.draw(drawn);
    stand();
  }

  function grow(columns: number, rows: number): void {
    const of = (name: string): [number, number] => {
      const [, column = "A", row = "1"] = /([A-Z]+)(\d+)$/.exec(name) ?? [];
      return [column.charCodeAt(0) - 65 + 26 * (column.length - 1), Number(row)];
    };
    const all = board.names.all().map(of);
    const last = Math.min(51, Math.max(0, ...all.map(([column]) => column)) + columns);
    const letter = String.fromCharCode(65 + (last % 26));
    ground().area = `A1-${last > 25 ? letter + letter : letter}${Math.max(1, ...all.map(([, row]) => row)) + rows}`;
    controls.changed();
  }

  // Units.

  /** All units with their hexes. */
  function everyone(): Piece[] {
    return groups.flatMap((group) =>
      map.unitsOf(fields(), group).map((placed, place) => {
        const at = map.listed(placed.at)[0] ?? "";
        const unit =
          read(placed.unit ?? "")
            .map(called)
            .join(", ") || String(placed.name ?? "nobody");
        return { key: `${group}.${place}`, label: `${GROUPS[group]} ${unit} in ${at}`, hex: at };
      }),
    );
  }

  function stand(): void {
    board.show(everyone(), chosen);
  }

  /** The unit with this key. */
  const placed = (key: string): map.Placed | undefined =>
    valueAt(controls.question, key) as map.Placed | undefined;

  function moved(key: string, hex: string): void {
    const unit = placed(key);
    if (!unit) return;
    if (board.names.same(map.listed(unit.at)[0] ?? "", hex)) return;
    unit.at = hex;
    controls.changed();
  }

  let drop = () => {};
  function choose(key: string | null): void {
    drop();
    chosen = key;
    const [group, place] = (key ?? "").split(".");
    panel.hidden = !key || !placed(key);
    if (key && group && place && placed(key)) {
      const of = (path: string, prefix: string): HTMLElement[] =>
        declared(path).map((field) =>
          field.takes.type === "table"
            ? h(
                "details",
                {},
                h("summary", {}, words(field.name)),
                ...of(`${path}.${field.name}`, `${prefix}.${field.name}`),
              )
            : controls.one(field, `${prefix}.${field.name}`),
        );
      const all = controls.scope(() => [controls.line(key, panel), ...of(`${group}.N`, key)]);
      drop = all.drop;
      const [line, ...fields] = all.made;
      const [named = [], others = []] = [fields.slice(0, 3), fields.slice(3)];
      panel.replaceChildren(
        h(
          "div",
          { class: "row" },
          h("h2", {}, GROUPS[group as Group]),
          button("remove", () => remove(group as Group, Number(place)), { class: "quiet" }),
          button("done", () => choose(null), { class: "quiet" }),
        ),
        line!,
        ...named.slice(1),
        ...named.slice(0, 1),
        h("details", { class: "more" }, h("summary", {}, "more"), ...others),
      );
    }
    stand();
  }

  function remove(group: Group, place: number): void {
    const left = map.unitsOf(fields(), group).filter((_, other) => other !== place);
    if (left.length) fields()[group] = left;
    else delete fields()[group];
    choose(null);
    controls.changed();
  }

  // Tools.

  function take(wanted: Tool): void {
    tool = wanted;
    board.isDrawing = TOOLS[tool][1];
    board.isLong = tool === "road" || tool === "hexside" || tool === "building";
    for (const one of tools.children)
      one.setAttribute("aria-pressed", String((one as HTMLElement).dataset.tool === tool));
    told.hidden = true;
    const pick = (all: string[], name: (one: string) => string = words): HTMLElement =>
      h(
        "div",
        { class: "chips", role: "group", "aria-label": TOOLS[tool][0] },
        ...all.map((one) =>
          button(
            name(one),
            () => {
              choice[tool] = one;
              take(tool);
            },
            { class: "chip", "aria-pressed": String(one === choice[tool]) },
          ),
        ),
      );
    const others = (all: string[]): HTMLElement => {
      const list = h(
        "select",
        {
          "aria-label": "other terrain",
          change: () => {
            choice.terrain = list.value;
            take(tool);
          },
        },
        ...[...new Set([choice.terrain!, ...all])].map((one) =>
          h("option", { value: one, selected: one === choice.terrain }, words(one)),
        ),
      );
      return list;
    };
    const shown: Record<Tool, () => Child[]> = {
      hand: () => [hint("Tap a unit to change it, or drag it. A unit that is chosen goes where you tap.")],
      unit: () => {
        const part = units(systemOf(controls.all, controls.question), "next-unit", (text) => {
          next[choice.unit!] = text;
        });
        part.show(next[choice.unit!] ?? "");
        return [
          pick(groups, (group) => GROUPS[group as Group]),
          part.element,
          hint("Choose who it is, then tap his hex."),
        ];
      },
      terrain: () => [pick(kind.terrain ?? []), others(terrains)],
      building: () => [
        pick(declared("map.building.N").find(({ name }) => name === "type")?.takes.words ?? []),
        hint("Draw over the hexes of one building."),
      ],
      hexside: () => [
        pick(takes("hexsides")?.keys?.words ?? []),
        hint("Draw from one hex over the side to the next; again, and it is gone."),
      ],
      road: () => [hint("Draw from hex to hex.")],
      level: () => [pick(["-1", "0", "1", "2", "3"], (one) => one)],
      other: () => [pick(features), hint("Tap a hex; again, and it is gone.")],
      clear: () => [hint("Tap a hex.")],
      why: () => [hint("Tap a hex: is it a destination?")],
    };
    choices.replaceChildren(...shown[tool]().filter((child): child is Node => child instanceof Node));
  }

  function drew(hexes: string[]): void {
    const names = board.names;
    const [first] = hexes;
    if (!first) return;
    const each = (what: (hex: string) => void) => new Set(hexes).forEach(what);
    const deeds: Record<Tool, () => void> = {
      hand: () => {
        if (chosen) moved(chosen, first);
      },
      unit: () => {
        const group = choice.unit as Group;
        const unit = (next[group] ?? "").trim();
        if (!unit) {
          controls.blame("map", "First choose who it is.");
          return;
        }
        fields()[group] = [...map.unitsOf(fields(), group)] as unknown[];
        map.unitsOf(fields(), group).push({ unit, at: first });
        controls.changed();
      },
      terrain: () => {
        each((hex) => map.paint(ground(), names, hex, said(choice.terrain!)));
        controls.changed();
      },
      building: () => {
        map.build(ground(), names, [...new Set(hexes)], choice.building!);
        controls.changed();
      },
      hexside: () => {
        hexes
          .slice(1)
          .forEach((hex, place) => map.border(ground(), names, hexes[place]!, hex, choice.hexside!));
        if (hexes.length > 1) controls.changed();
      },
      road: () => {
        map.pave(ground(), names, hexes);
        if (hexes.length > 1) controls.changed();
      },
      level: () => {
        each((hex) => map.raise(ground(), names, hex, Number(choice.level)));
        controls.changed();
      },
      other: () => {
        each((hex) => map.lay(ground(), names, hex, choice.other!));
        controls.changed();
      },
      clear: () => {
        each((hex) => map.clear(ground(), names, hex, said(open), features));
        controls.changed();
      },
      why: () => void explain(first),
    };
    deeds[tool]();
  }

  /** Shows why a hex is a destination, or why it is none. */
  async function explain(hex: string): Promise<void> {
    const { question } = controls;
    const { unit, order } = question.fields;
    const situation = Object.fromEntries(
      Object.entries(question.fields).filter(([name]) => !kind.requests?.question?.includes(name)),
    );
    const fields = { ...situation, ...(unit ? { unit } : {}), ...(order ? { order } : {}), [EXPLAIN]: hex };
    const asked = currentQuestion();
    const answer = await beside.ask(request({ ...question, fields, options: {} }).text, false, 320);
    told.hidden = false;
    assign(told, asked);
    told.replaceChildren(
      h(
        "div",
        { class: "row" },
        h("h2", {}, hex),
        button(
          "close",
          () => {
            told.hidden = true;
          },
          { class: "quiet" },
        ),
      ),
      ...(answer.fault ? [h("p", { class: "bad" }, answer.fault.message)] : pieces(answer.screen ?? [], 0)),
    );
    told.scrollIntoView({ block: "nearest" });
  }

  /** The situation as an editable text in the format of its file. */
  function textual(): { element: HTMLElement; show(): void } {
    const area = h("textarea", {
      "aria-label": "the situation as text",
      spellcheck: "false",
      rows: 14,
      blur: () => void show(),
    });
    const wrong = h("p", { class: "fault", hidden: true });
    let known = "";
    const show = async () => {
      if (!element.open) return;
      const written = await beside.file(request(controls.question).text);
      // Edited text stays until it is drawn, and text that is being edited is never replaced.
      if ("file" in written && area.value === known && document.activeElement !== area)
        area.value = known = written.file;
    };
    const take = async () => {
      const found = await beside.situation(area.value);
      const bad = "fault" in found ? (found.fault as Fault) : null;
      wrong.hidden = !bad;
      wrong.textContent = bad?.message ?? "";
      if (bad) {
        if (bad.span)
          area.setSelectionRange(units16(area.value, bad.span[0]), units16(area.value, bad.span[1]));
        area.focus();
        wrong.scrollIntoView({ block: "nearest" });
        return;
      }
      known = area.value;
      const { kind: _, ...situation } = found;
      map.singled(situation);
      controls.question.fields = situation as typeof controls.question.fields;
      choose(null);
      controls.changed();
    };
    const element = h(
      "details",
      { class: "more", toggle: () => void show() },
      h("summary", {}, "as text"),
      area,
      wrong,
      h(
        "div",
        { class: "row" },
        button("Draw it", () => void take()),
      ),
    );
    return { element, show: () => void show() };
  }

  controls.watch(() => {
    begin();
    size.hidden = fields().board !== undefined;
    if (chosen && !placed(chosen)) choose(null);
    follow();
  });
  take("hand");
  return {
    element: h(
      "div",
      { class: "editor" },
      tools,
      choices,
      board.element,
      fault,
      told,
      panel,
      size,
      text.element,
    ),
    draw(drawn) {
      clearTimeout(late);
      version++;
      show(drawn);
      text.show();
      return true;
    },
    blame(path, message) {
      if (path === null) return null;
      const [group, place] = path.split(".");
      if (groups.includes(group as Group) && place !== undefined) {
        const key = `${group}.${place}`;
        if (chosen !== key) choose(key);
        return controls.blame(path, message) ?? controls.blame(key, message);
      }
      const isOfMap = declared("").some(({ name }) => name === group);
      return controls.blame(path, message) ?? (isOfMap ? controls.blame("map", message) : null);
    },
  };
}

const hint = (text: string): HTMLElement => h("p", { class: "hint" }, text);

/** Converts an offset in bytes to an offset in characters of the text. */
const units16 = (text: string, bytes: number): number =>
  new TextDecoder().decode(new TextEncoder().encode(text).slice(0, bytes)).length;
