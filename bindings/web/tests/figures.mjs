// Checks that every figure on screen belongs to the question on screen.
// The check runs in each frame of every page that a test opens. It relies on the values of the
// controls and the answers of the worker, not on the state of the page.
import { test as base, expect } from "@playwright/test";

/** Runs in a page, and defines `figures` there, which checks the page on demand. */
export function watchFigures() {
  /** Selectors of texts with digits that are no figures: names, labels, units and controls. */
  const NAMES =
    "header, footer, .notice, .systems, .kinds, .about, .help, .hint:not(.table .hint), label, .head, summary, h2, h3, select, textarea, button:not(.stop, .box, .helps .chip), .box small, .slot, .steps strong, .board .names, .board .units, .board .ground, .board > .unseen, style, script, noscript";
  /** Selectors of drawings, which count as figures even without a digit. */
  const DRAWN = ".chart svg, .board .danger, .board .ways, .board .chances";
  /** Selectors of places of figures; the first match counts. */
  const PLACES = [
    ".status",
    ".stop",
    ".helps",
    ".card",
    ".periods",
    ".tiles",
    ".chart",
    ".answer table",
    ".answer",
    ".board",
    ".beside",
    ".why",
    ".table",
    ".panel",
    ".fault",
    ".unseen",
  ];

  /** The answers of the worker, by the text of the request. */
  const answers = new Map();
  const asked = new WeakMap();
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (data, ...rest) {
    if (!asked.has(this)) {
      asked.set(this, new Map());
      this.addEventListener("message", ({ data }) => {
        const request = asked.get(this).get(data.number);
        if (data.text !== undefined && request !== undefined) answers.set(request, known(data.text));
      });
    }
    if (data.call === "ask") asked.get(this).set(data.number, data.text);
    return postMessage.call(this, data, ...rest);
  };

  const normal = (text) =>
    text
      .replace(/\u00a0/g, " ")
      .replace(/(\d),(\d)/g, "$1.$2")
      .trim();
  const percents = (text) => normal(text).match(/(< )?\d+\.\d+ %/g) ?? [];
  const percent = (share) => (share > 0 && share < 0.00005 ? "< 0.01 %" : `${(100 * share).toFixed(2)} %`);
  const written = (svg) => new DOMParser().parseFromString(svg, "image/svg+xml").documentElement.textContent;

  /** The parts of an answer with which figures are compared. */
  function known(text) {
    let made;
    return () => {
      if (made) return made;
      const { meta, headline, screen = [], charts = [], map, curves = {}, counts = [] } = JSON.parse(text);
      const hopes = (Array.isArray(headline) ? headline : [])
        .map((one) => one?.probability ?? one?.survives)
        .filter((share) => typeof share === "number");
      const main = typeof headline?.value === "number" ? [...hopes, headline.value] : hopes;
      return (made = {
        main,
        numbers: new Set([...main, ...Object.values(curves).flat(), ...counts.map((row) => row.at_least)]),
        question: meta?.question,
        shares: new Set(hopes.map(percent)),
        cells: new Set(
          screen
            .flatMap((piece) => (piece.table ? [piece.table.headings, ...piece.table.rows].flat() : []))
            .map(normal),
        ),
        texts: screen.map((piece) => normal(piece.text ?? "")).join("\n"),
        drawn: new Set([...charts.map(({ svg }) => svg), ...(map ? [map.svg] : [])].map(written)),
      });
    };
  }

  /** A share in whole percents, as the card shows it. */
  const whole = (share) => {
    if (share > 0 && share < 0.005) return "< 1 %";
    if (share < 1 && share > 0.995) return "> 99 %";
    return `${(100 * share).toFixed(0)} %`;
  };

  const isSeen = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true });

  /** The first difference between a request and the controls, if any. */
  function unlike(text) {
    const { system, kind, step = [], request: _, ...fields } = JSON.parse(text);
    const pressed = (list) => document.querySelector(`${list} [aria-pressed="true"]`);
    if (pressed(".systems")?.dataset.system !== system) return `system ${system}`;
    if (pressed(".kinds")?.dataset.kind !== kind) return `kind ${kind}`;
    const said = new Map();
    const flatten = (path, value) => {
      if (value === null || typeof value !== "object") said.set(path, value);
      else if (Array.isArray(value) && value.every((one) => typeof one !== "object"))
        said.set(path, value.join(" "));
      else for (const [name, one] of Object.entries(value)) flatten(`${path}-${name}`, one);
    };
    flatten("field", fields);
    step.forEach(({ do: _, ...fields }, place) => flatten(`field-step-${place}`, fields));
    const steps = [...document.querySelectorAll(".steps strong")]
      .map(({ textContent }) => textContent)
      .join();
    if (steps !== step.map(({ do: what }) => what.replaceAll("-", " ")).join()) return `steps ${steps}`;
    for (const control of document.querySelectorAll("[id^=field-]:is(input, select)")) {
      const value = said.get(control.id);
      said.delete(control.id);
      const shown =
        control.type === "checkbox"
          ? control.checked
          : control.value.trim().replace(/^([+-]?\d*),(\d+)$/, "$1.$2");
      const isDefault = shown === "" && control.options?.[0].text === String(value).replaceAll("-", " ");
      const isSame =
        control.type === "checkbox"
          ? shown === (value !== undefined)
          : shown === String(value ?? "").trim() || Number(shown || NaN) === value || isDefault;
      if (!isSame) return `${control.id} shows ${shown}, not ${value}`;
    }
    // Dice have no control; on a map only the request and the chosen unit have one.
    if (!document.querySelector("main.mapped"))
      for (const path of said.keys()) if (path !== "field-given") return `${path} is not shown`;
    const dice =
      document.querySelector(".given .row .die") &&
      [...document.querySelectorAll(".given .row .dice")]
        .map((roll) => [...roll.children].map((die) => die.getAttribute("aria-label")).join())
        .join(" ");
    if (dice && isSeen(document.querySelector(".given .row .die")) && dice !== fields.given)
      return `dice ${dice}`;
    const pieces = [...document.querySelectorAll(".piece")].map((piece) =>
      piece.getAttribute("aria-label").split(" in ").at(-1),
    );
    const hexes = [...document.querySelectorAll(".board text.name")].map(({ textContent }) => textContent);
    const isOnMap = (at) => hexes.some((hex) => hex.endsWith(at.split(" ")[0].toUpperCase()));
    const standing = ["rout", "friend", "enemy"]
      .flatMap((group) => (Array.isArray(fields[group]) ? fields[group] : []))
      .map(({ at }) => at)
      .filter(isOnMap);
    if (pieces.sort().join() !== standing.sort().join()) return `units in ${pieces}, not ${standing}`;
    return null;
  }

  const compared = new WeakMap();
  /** The part of a figure that is not in the answer to its question, if any. */
  function foreign(figure, text, answer, other) {
    const { question, shares, cells, texts, drawn, numbers, main } = answer;
    // Differences to other questions occur in no answer to this one.
    if (figure.closest(".helps")) return null;
    const value = figure.closest(".card data, .periods data")?.value;
    if (value !== undefined && figure.matches(".change")) {
      const differences = main.flatMap((to) => (other?.main ?? []).map((from) => to - from));
      return differences.includes(Number(value)) ? null : `the difference ${value}`;
    }
    if (value !== undefined) {
      const isKnown = numbers.has(Number(value)) || other?.numbers.has(Number(value));
      return isKnown && normal(text) === whole(Number(value)) ? null : `the number ${value}`;
    }
    if (figure.matches(".card .words.plain")) return texts.includes(normal(text)) ? null : "the words";
    if (figure.matches(".question, .card .title")) return text === question ? null : "the question";
    if (figure.closest("svg")) {
      const svg = figure.closest("svg");
      if (compared.get(svg) !== answer) {
        // The layers drawn over the map have no text.
        if (!drawn.has(svg.textContent)) return "the drawing";
        compared.set(svg, answer);
      }
      return null;
    }
    if (figure.closest("td, th"))
      return figure.closest(".answer table") && !cells.has(normal(figure.closest("td, th").textContent))
        ? "the cell"
        : null;
    if (!figure.closest(".tiles strong, .difference")) return null;
    const wrong = percents(text).find((share) => !shares.has(share) && !other?.shares.has(share));
    return wrong ? `the share ${wrong}` : null;
  }

  /** Checks every figure on screen, and returns the faults and the places of figures. */
  function look() {
    const faults = new Map();
    const places = new Set();
    const unlikes = new Map();
    const differs = (question) => {
      if (!unlikes.has(question)) unlikes.set(question, unlike(question));
      return unlikes.get(question);
    };
    const pinned = document.querySelector("[data-pinned]")?.dataset.pinned;
    const check = (figure, text) => {
      const place = PLACES.find((place) => figure.closest(place)) ?? "elsewhere";
      const holder = figure.closest("[data-answers], [data-pinned]");
      // One fault of each kind is enough.
      const bad = (why) => faults.set(`${place} ${why}`, `${place}: "${text.trim().slice(0, 60)}" ${why}`);
      if (!holder) return bad("belongs to no question");
      const question = holder.dataset.answers ?? holder.dataset.pinned;
      const answer = answers.get(question)?.();
      places.add(place);
      if (holder.dataset.answers !== undefined) {
        const other = differs(question);
        if (other !== null) return bad(`belongs to another question: ${other}`);
      } else if (!holder.querySelector("p").textContent.includes(answer.question))
        return bad("stands beside another question");
      // A line of a fault, dice and a sequence do not occur in an answer.
      const wrong = answer
        ? foreign(figure, text, answer, answers.get(pinned)?.())
        : holder.matches(".answer, .told-now")
          ? "the answer"
          : null;
      if (wrong) bad(`is not of its answer: ${wrong}`);
    };
    if (document.querySelector("main")) {
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, ({ data }) =>
        /\d/.test(data) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
      );
      for (let node; (node = walk.nextNode()); )
        if (!node.parentElement.closest(NAMES) && isSeen(node.parentElement))
          check(node.parentElement, node.data);
      for (const drawing of document.querySelectorAll(DRAWN))
        if (drawing.firstElementChild && isSeen(drawing)) check(drawing, "a drawing");
      // A title has no room for the question.
      if (/\d/.test(document.title)) faults.set("title", `title: "${document.title}" belongs to no question`);
    }
    return { faults: [...faults.values()], places: [...places] };
  }

  let isDirty = true;
  const found = new Set();
  const frame = () => {
    requestAnimationFrame(frame);
    if (!isDirty) return;
    isDirty = false;
    const { faults } = look();
    const fresh = faults.filter((fault) => !found.has(fault));
    fresh.forEach((fault) => found.add(fault));
    if (fresh.length) globalThis.tellFigures?.(fresh);
    globalThis.figures.frames++;
  };
  const touch = () => {
    isDirty = true;
  };
  globalThis.figures = { look, found, frames: 0 };
  new MutationObserver(touch).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
  for (const event of ["input", "change", "toggle"]) addEventListener(event, touch, true);
  requestAnimationFrame(frame);
}

/**
 * A test that watches its pages; `figures` are the faults so far, and the test fails if there are
 * any.
 */
export const test = base.extend({
  figures: [
    async ({ context, page }, use) => {
      const faults = [];
      await context.exposeBinding("tellFigures", (_, fresh) => faults.push(...fresh));
      await context.addInitScript(watchFigures);
      // An open page is only watched after it navigates.
      await page.goto("about:blank");
      await use(faults);
      for (const open of context.pages()) faults.push(...(await open.evaluate(() => figures.look().faults)));
      expect(faults, "figures that do not belong to the question on screen").toEqual([]);
    },
    { auto: true },
  ],
});

/** Waits until a frame has been checked, and returns the places of its figures. */
export async function seen(page) {
  const before = await page.evaluate(() => {
    document.body.toggleAttribute("data-touched");
    return figures.frames;
  });
  await page.waitForFunction((before) => figures.frames > before, before);
  return page.evaluate(() => figures.look().places);
}
