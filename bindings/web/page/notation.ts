// The syntax of units, which all systems share: `2x side:name:class/condition,value=3 + ...`.
// The engine knows the meaning of the words.

export interface Counter {
  number: number;
  side: string;
  name: string;
  conditions: string[];
}

export const read = (text: string): Counter[] =>
  text
    .split(/\s+\+\s+|\s+\+$|^\+\s+/)
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => {
      const [, times, rest] = /^(?:(\d{1,2})\s*[x*]\s*)?([\s\S]*)$/.exec(item) ?? [];
      const [unit = "", ...after] = (rest ?? item).split("/");
      const colon = unit.indexOf(":");
      return {
        number: times ? Number(times) : 1,
        side: colon < 0 ? "" : unit.slice(0, colon),
        name: unit.slice(colon + 1),
        conditions: after
          .join("/")
          .split(",")
          .map((word) => word.trim())
          .filter((word) => word !== ""),
      };
    });

export const written = (counters: Counter[]): string =>
  counters
    .map(({ number, side, name, conditions }) => {
      const unit = (side ? `${side}:` : "") + name + (conditions.length ? `/${conditions.join(",")}` : "");
      return number > 1 ? `${number}x ${unit}` : unit;
    })
    .join(" + ");
