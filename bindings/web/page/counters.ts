// Counters in the page's own style, with the name and the conditions of the unit.
import { s } from "./dom";
import type { Counter } from "./notation";

/** A colour for each side, derived from its name. */
function colour(side: string): { paper: string; ink: string } {
  let mixed = 7;
  for (const letter of side) mixed = (mixed * 31 + letter.charCodeAt(0)) % 360;
  const hue = side === "" || side === "id" ? 45 : mixed;
  return { paper: `hsl(${hue} 32% 82%)`, ink: `hsl(${hue} 60% 16%)` };
}

/** An abbreviation of a condition: two letters, or one letter and its value. */
const short = (condition: string): string => {
  const [word = "", value] = condition.split("=");
  if (value !== undefined) return `${word.slice(0, 1)}${value}`.toUpperCase();
  return (
    word.length <= 2 ? word : word[0]! + (/[^aeiou]/.exec(word.slice(2))?.[0] ?? word[1]!)
  ).toUpperCase();
};

/** One soldier for each part of a unit: three, two or one. */
function people(name: string, ink: string): SVGElement {
  const [first, ...others] = name.split("-");
  const parts = others.length === 2 ? (Number(first) > 2 ? 3 : 2) : 1;
  const one = (at: number) =>
    s(
      "g",
      { transform: `translate(${28 + (at - (parts - 1) / 2) * 13} 17)` },
      s("circle", { cx: 0, cy: -6, r: 3.2 }),
      s("path", { d: "M-4.6 7 v-4.5 a4.6 4.6 0 0 1 9.2 0 v4.5 z" }),
    );
  return s("g", { fill: ink }, ...Array.from({ length: parts }, (_, at) => one(at)));
}

/** A counter, 56 units wide and high. */
export function drawn({ side, name, conditions }: Counter): SVGElement {
  const { paper, ink } = colour(side);
  const marks = conditions
    .slice(0, 4)
    .map((condition, place) =>
      s(
        "g",
        { transform: `translate(${54 - 17 * (place % 2)} ${4 + 13 * Math.floor(place / 2)})` },
        s("rect", { x: -16, y: 0, width: 16, height: 12, rx: 3, fill: "#8c1f1f" }),
        s(
          "text",
          { x: -8, y: 9, "text-anchor": "middle", "font-size": 8.5, "font-weight": 700, fill: "#fff" },
          short(condition),
        ),
      ),
    );
  const size = Math.min(15, 88 / Math.max(name.length, 1));
  return s(
    "svg",
    { viewBox: "0 0 56 56", width: 56, height: 56, "aria-hidden": "true", class: "counter" },
    s("rect", {
      x: 0.75,
      y: 0.75,
      width: 54.5,
      height: 54.5,
      rx: 5,
      fill: paper,
      stroke: ink,
      "stroke-opacity": 0.55,
      "stroke-width": 1.5,
    }),
    conditions.length > 0 &&
      s("rect", {
        x: 4,
        y: 4,
        width: 48,
        height: 48,
        rx: 3,
        fill: "none",
        stroke: ink,
        "stroke-width": 1,
        "stroke-dasharray": "3 2",
      }),
    people(name, ink),
    s(
      "text",
      { x: 28, y: 45, "text-anchor": "middle", "font-size": size, "font-weight": 700, fill: ink },
      name,
    ),
    ...marks,
  );
}

/** The text that screen readers give for the counter. */
export const called = ({ number, side, name, conditions }: Counter): string =>
  [number > 1 ? `${number} times` : "", side, name, ...conditions].filter((word) => word !== "").join(" ");
