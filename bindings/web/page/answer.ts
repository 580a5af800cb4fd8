// The parts of an answer, in the order in which a player reads them.
// First come the headline chances, then the chart, then all the rest.
import { button, h, picture, s } from "./dom";
import { certainTo, localized, percent } from "./format";
import type { Answer, Hoped, Line, Piece, Routed } from "./types";

/**
 * Returns the headline chance of each unit, if there are any; on a map, the one of its best plan.
 */
export const hopes = ({ headline }: Answer): Hoped[] => {
  const hoped = (one: Partial<Hoped & Routed> | null, place: number): Hoped[] => {
    if (typeof one?.probability === "number" && typeof one.hoped === "string") return [one as Hoped];
    if (typeof one?.survives !== "number") return [];
    return [
      {
        slot: place + 1,
        unit: one.unit ?? "",
        hoped: "survives",
        plan: one.plan ?? "",
        probability: one.survives,
        ci_low: null,
        ci_high: null,
        fraction: null,
        error_bound: null,
      },
    ];
  };
  return Array.isArray(headline) ? headline.flatMap(hoped) : [];
};

/** A container for content wider than the page, which scrolls by itself, also by keys. */
export const scrolled = (what: string, ...content: Node[]): HTMLElement =>
  h("div", { class: "wide", tabindex: 0, role: "group", "aria-label": what }, ...content);

/**
 * Returns the headline chances without units of chance 0, such as unbroken units, unless all are.
 */
export function hopeful(answer: Answer): Hoped[] {
  const all = hopes(answer);
  const some = all.filter(({ probability, fraction }) => probability > 0 || fraction === null);
  return some.length ? some : all;
}

/** How certain a chance is if it is certified, else an empty text. */
const certain = ({ error_bound }: Hoped): string =>
  typeof error_bound === "number" ? certainTo(error_bound) : "";

/** The headline chances in a sentence. */
export const sentence = (answer: Answer): string =>
  hopes(answer)
    .map((hope) => {
      const odds = [percent(hope.probability), certain(hope)].filter((word) => word).join(", ");
      return `${hope.unit} ${hope.hoped}: ${odds}`;
    })
    .join("; ") ||
  answer.screen?.flatMap((piece) => ("text" in piece ? [piece.text] : []))[1] ||
  "";

/** The headline chances with the number first, for places with little room. */
export const inShort = (answer: Answer): string => {
  const told = hopeful(answer).map(
    ({ unit, hoped, probability }) => `${percent(probability)} ${unit} ${hoped}`,
  );
  return told.join("; ") || sentence(answer);
};

/** The exact fraction of a chance if it is short, else an empty text. */
const fraction = ({ fraction }: Hoped): string =>
  fraction && fraction.length <= 9 && fraction.includes("/") ? fraction : "";

/** The headline chances as large numbers. */
export function tiles(answer: Answer): HTMLElement | null {
  const all = hopes(answer);
  if (!all.length) return null;
  const shown = hopeful(answer).slice(0, 6);
  return h(
    "ul",
    { class: "tiles" },
    ...shown.map((hope) =>
      h(
        "li",
        {},
        h("strong", {}, percent(hope.probability)),
        h("span", {}, all.length > 1 && hope.plan === undefined ? `${hope.unit} [${hope.slot}]` : hope.unit),
        h(
          "small",
          {},
          [hope.hoped, hope.plan, fraction(hope), certain(hope)].filter((word) => word).join(" · "),
        ),
      ),
    ),
  );
}

/** The words without remarks about command-line options. */
const plain = (words: string): string => localized(words.replace(/: `?--[^.]*\.?$/, "."));

function table({
  headings,
  rows,
  right,
}: {
  headings: string[];
  rows: string[][];
  right: boolean[];
}): HTMLElement {
  const head = headings.some((heading) => heading !== "")
    ? h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...headings.map((heading, at) =>
            h("th", { scope: "col", class: right[at] ? "number" : "" }, heading),
          ),
        ),
      )
    : null;
  const wide = Math.max(headings.length, ...rows.map((row) => row.length));
  const body = rows.map((row) => {
    const isHeading = row.length > 1 && row.slice(1).every((cell) => cell === "");
    if (isHeading) return h("tr", { class: "group" }, h("th", { colspan: wide, scope: "colgroup" }, row[0]!));
    return h(
      "tr",
      {},
      ...row.map((cell, at) =>
        at === 0 && !right[0]
          ? h("th", { scope: "row" }, cell.trim())
          : h("td", { class: right[at] ? "number" : "" }, localized(cell)),
      ),
    );
  });
  return scrolled("table", h("table", {}, head, h("tbody", {}, ...body)));
}

/**
 * The words and tables of an answer from piece `first` on; the first piece often repeats the
 * question.
 */
export function pieces(all: Piece[], first = 1): HTMLElement[] {
  return all.slice(first).flatMap((piece): HTMLElement[] => {
    if ("gap" in piece) return [];
    if ("table" in piece) return [table(piece.table)];
    if ("drawn" in piece) return [scrolled("tree", h("pre", {}, localized(piece.drawn)))];
    return [h("p", { class: piece.answer ? "lead" : piece.indent ? "indented" : "" }, plain(piece.text))];
  });
}

/** The charts that fit the answer, shown one at a time. */
export function charts(answer: Answer, wanted: { kind: string }): HTMLElement | null {
  const all = answer.charts ?? [];
  if (!all.length) return null;
  const frame = h("div", { class: "chart" });
  const tabs = h("div", { class: "chips", role: "group", "aria-label": "kind of chart" });
  const draw = () => {
    const chart = all.find(({ kind }) => kind === wanted.kind) ?? all[0]!;
    const drawn = picture(chart.svg);
    if (drawn) frame.replaceChildren(drawn);
    tabs.replaceChildren(
      ...(all.length > 1 ? all : []).map(({ kind }) =>
        button(
          kind,
          () => {
            wanted.kind = kind;
            draw();
          },
          { class: "chip", "aria-pressed": kind === chart.kind ? "true" : "false" },
        ),
      ),
    );
  };
  draw();
  return h("figure", { class: "charts" }, frame, tabs);
}

const PIPS: [number, number][][] = [
  [],
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
];

/** A die that shows a number, as pips up to 6, else as digits. */
export function die(shown: number, faces: number, isColoured: boolean): SVGElement {
  const dots = faces <= 6 ? (PIPS[shown] ?? []) : [];
  return s(
    "svg",
    {
      viewBox: "0 0 24 24",
      width: 24,
      height: 24,
      class: `die ${isColoured ? "coloured" : "white"}`,
      role: "img",
      "aria-label": String(shown),
    },
    s("rect", { x: 1.5, y: 1.5, width: 21, height: 21, rx: faces > 6 ? 10 : 5, class: "face" }),
    ...dots.map(([x, y]) => s("circle", { cx: 12 + 5.4 * x, cy: 12 + 5.4 * y, r: 2.1, class: "pip" })),
    dots.length
      ? null
      : s("text", { x: 12, y: 16, "text-anchor": "middle", "font-size": 10, class: "pip" }, String(shown)),
  );
}

/** The dice of a roll in notation: `3,4` for two dice, the coloured one first. */
export function dice(rolled: string, faces: number): SVGElement[] {
  const shown = rolled.split(",").map(Number);
  return shown.map((one, place) => die(one, faces === 36 ? 6 : faces, shown.length > 1 && place === 0));
}

/** One traced sequence: rolls with their dice and rules, and the events. */
export function tale(lines: Line[]): HTMLElement {
  return h(
    "ol",
    { class: "tale" },
    ...lines.map((line) => {
      if (line.at !== undefined) {
        const told = (line.noted ?? []).map(({ unit, slot, status, counter }) =>
          [unit ?? "created", slot === null ? "" : `[${slot}]`, status, counter !== unit ? counter : ""]
            .filter((word) => word)
            .join(" "),
        );
        return h("li", { class: "noted" }, `${line.at}: ${told.join(", ")}`);
      }
      return h(
        "li",
        { class: line.roll === undefined ? "" : "roll" },
        line.rule ? h("span", { class: "rule" }, line.rule) : null,
        line.rolled ? h("span", { class: "dice" }, ...dice(line.rolled, line.faces ?? 6)) : null,
        h(
          "span",
          {},
          localized(line.roll ?? line.event ?? ""),
          line.read === undefined ? "" : ` (${line.read} of ${line.faces} read like this)`,
        ),
      );
    }),
  );
}
