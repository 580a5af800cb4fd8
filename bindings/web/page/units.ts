// A field of units: counters in a row, a tray to take them from, and their notation, in step.
import { called, drawn } from "./counters";
import { button, h } from "./dom";
import { read, written, type Counter } from "./notation";
import type { System } from "./types";

/** The side used last in any field. */
const last = { side: "" };

export interface UnitsField {
  element: HTMLElement;
  show(text: string): void;
}

/** A field for one or several units of a system; `changed` is called with their notation. */
export function units(
  system: System,
  id: string,
  isOne: boolean,
  changed: (text: string) => void,
): UnitsField {
  let text = "";
  let chosen = -1;
  const counters = h("div", { class: "stack" });
  const panel = h("div", { class: "panel", hidden: true });
  const input = h("input", {
    id,
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    class: "notation",
    placeholder: isOne ? "nobody" : "tap + or type",
    input: () => set(input.value),
  });
  const tray = h("div", { class: "tray", hidden: true });
  const element = h("div", { class: "units" }, counters, panel, tray, input);

  const set = (wanted: string) => {
    text = wanted;
    if (input.value !== wanted) input.value = wanted;
    draw();
    changed(wanted);
  };
  const put = (all: Counter[]) => set(written(all.filter(({ number }) => number > 0)));

  function draw(): void {
    const all = read(text);
    if (chosen >= all.length) chosen = -1;
    const focused = counters.contains(document.activeElement)
      ? [...counters.children].indexOf(document.activeElement!.closest(".slot") ?? counters)
      : -1;
    counters.replaceChildren(
      ...all.map((counter, place) =>
        h(
          "button",
          {
            type: "button",
            class: "slot",
            "aria-pressed": place === chosen ? "true" : "false",
            "aria-label": `${called(counter)}: change`,
            click: () => {
              chosen = chosen === place ? -1 : place;
              draw();
            },
          },
          drawn(counter),
          counter.number > 1 && h("span", { class: "times" }, `×${counter.number}`),
        ),
      ),
      ...(isOne && all.length
        ? []
        : [
            h(
              "button",
              {
                type: "button",
                class: "slot add",
                "aria-label": isOne ? "choose a unit" : "add a unit",
                "aria-expanded": tray.hidden ? "false" : "true",
                click: () => {
                  tray.hidden = !tray.hidden;
                  if (!tray.hidden) fill();
                  draw();
                },
              },
              "+",
            ),
          ]),
    );
    (counters.children[focused] as HTMLElement | undefined)?.focus();
    const counter = all[chosen];
    panel.hidden = !counter;
    if (counter) choose(all, counter);
  }

  function choose(all: Counter[], counter: Counter): void {
    const focused =
      document.activeElement instanceof HTMLElement && panel.contains(document.activeElement)
        ? document.activeElement.dataset.name
        : null;
    const change = (how: Partial<Counter>) =>
      put(all.map((other) => (other === counter ? { ...other, ...how } : other)));
    const flags = system.conditions.filter((condition) => !condition.includes("="));
    const numbers = system.conditions
      .filter((condition) => condition.includes("="))
      .map((condition) => condition.split("=")[0]!);
    panel.replaceChildren(
      h(
        "div",
        { class: "chips", role: "group", "aria-label": "conditions" },
        ...flags.map((flag) => {
          const has = counter.conditions.includes(flag);
          return button(
            flag,
            () =>
              change({
                conditions: has
                  ? counter.conditions.filter((word) => word !== flag)
                  : [...counter.conditions, flag],
              }),
            { class: "chip", "data-name": flag, "aria-pressed": has ? "true" : "false" },
          );
        }),
      ),
      h(
        "details",
        { class: "values", open: counter.conditions.some((condition) => condition.includes("=")) },
        h("summary", {}, "values"),
        h(
          "div",
          { class: "pairs" },
          ...numbers.map((name) => {
            const known = counter.conditions.find((condition) => condition.startsWith(`${name}=`));
            return h(
              "label",
              {},
              h("span", {}, name),
              h("input", {
                type: "text",
                inputmode: "numeric",
                size: 3,
                value: known?.slice(name.length + 1) ?? "",
                "data-name": name,
                change: (event: Event) => {
                  const value = (event.target as HTMLInputElement).value.trim();
                  const rest = counter.conditions.filter((condition) => condition !== known);
                  change({ conditions: value === "" ? rest : [...rest, `${name}=${value}`] });
                },
              }),
            );
          }),
        ),
      ),
      h(
        "div",
        { class: "row" },
        !isOne &&
          button("−1", () => change({ number: counter.number - 1 }), {
            "aria-label": "one less",
            "data-name": "less",
          }),
        !isOne &&
          button("+1", () => change({ number: counter.number + 1 }), {
            "aria-label": "one more",
            "data-name": "more",
          }),
        button(
          "remove",
          () => {
            chosen = -1;
            put(all.filter((other) => other !== counter));
          },
          { class: "quiet", "data-name": "remove" },
        ),
        button(
          "done",
          () => {
            chosen = -1;
            draw();
          },
          { class: "quiet", "data-name": "done" },
        ),
      ),
    );
    if (focused) panel.querySelector<HTMLElement>(`[data-name="${CSS.escape(focused)}"]`)?.focus();
  }

  function fill(): void {
    const sides = [...new Set(system.units.map(({ side }) => side))];
    if (!sides.includes(last.side)) last.side = sides[0] ?? "";
    const take = (unit: string) => {
      const all = read(text);
      const [taken] = read(unit);
      if (!taken) return;
      const end = all.at(-1);
      if (isOne) {
        tray.hidden = true;
        put([taken]);
        return;
      }
      if (end && written([{ ...end, number: 1 }]) === unit)
        put([...all.slice(0, -1), { ...end, number: end.number + 1 }]);
      else put([...all, taken]);
    };
    tray.replaceChildren(
      (sides.length > 1 &&
        h(
          "div",
          { class: "chips", role: "group", "aria-label": "sides" },
          ...sides.map((side) =>
            button(
              side,
              () => {
                last.side = side;
                fill();
              },
              { class: "chip", "aria-pressed": side === last.side ? "true" : "false" },
            ),
          ),
        )) ||
        "",
      h(
        "div",
        { class: "grid" },
        ...system.units
          .filter(({ side }) => side === last.side)
          .map((unit) =>
            h(
              "button",
              {
                type: "button",
                class: "slot",
                "aria-label": `add ${unit.side} ${unit.name}`.replace("  ", " "),
                title: unit.about,
                click: () => take(unit.written),
              },
              drawn({ number: 1, side: unit.side, name: unit.name, conditions: [] }),
            ),
          ),
      ),
    );
  }

  draw();
  return {
    element,
    show(wanted) {
      if (wanted === text) return;
      text = wanted;
      if (input.value !== wanted) input.value = wanted;
      draw();
    },
  };
}
