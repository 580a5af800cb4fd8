// The parts of the page that need no browser: the content of the card, replaced fields, numbers.
import { expect, test } from "@playwright/test";

import { cardOf } from "../page/card.ts";
import { change, percent, setGerman } from "../page/format.ts";
import { empty, missing, setField } from "../page/question.ts";

const number = (name, hints = {}) => ({
  name,
  negation: null,
  takes: { type: "number", from: 0, to: 40 },
  default: null,
  about: name,
  rule: null,
  ...hints,
});
const text = (name, hints = {}) => ({ ...number(name, hints), takes: { type: "text" } });
const FIRE = {
  name: "fire",
  about: "",
  subject: "stack",
  classes: [{ name: "holds" }, { name: "breaks" }],
  fields: [
    text("stack", { role: "stack" }),
    number("fp", { label: "FP", initial: "8" }),
    text("by", { role: "firers", replaces: ["fp"] }),
    number("range", { role: "circumstance" }),
  ],
};
const GAME = { name: "game", kinds: [FIRE], measures: [], units: [] };
const field = (name) => FIRE.fields.find((field) => field.name === name);
const NOTHING = { answer: null, pinned: null, progress: null, fault: null, isStopped: false };
const hope = (slot, probability) => ({ slot, unit: "4-6-7", hoped: "unbroken", probability, fraction: null });
const told = (...shares) => ({
  meta: { question: "8 FP at 4-6-7" },
  headline: shares.map((share, place) => hope(place + 1, share)),
});

test("a question begins with initial values and the settings of its game", () => {
  expect(empty(GAME, FIRE, { range: 2, other: 3 }).fields).toEqual({ fp: 8, range: 2 });
});

test("a field replaces others, which come back without it", () => {
  const question = empty(GAME, FIRE);
  const set = (name, value) => setField(FIRE, question, field(name), name, value);
  set("by", "9-1");
  set("range", 3);
  expect(question.fields).toEqual({ by: "9-1", range: 3 });
  set("fp", 12);
  expect(question.fields).toEqual({ fp: 12 });
  set("by", "9-1");
  set("by", null);
  expect(question.fields).toEqual({ fp: 8 });
});

test("only an empty field that nothing replaces is missing", () => {
  const question = empty(GAME, FIRE);
  expect(missing(FIRE, question)).toBeUndefined();
  delete question.fields.fp;
  expect(missing(FIRE, question).name).toBe("fp");
  question.fields.by = "9-1";
  expect(missing(FIRE, question)).toBeUndefined();
});

test("the card is what question, answer and state make it", () => {
  const question = empty(GAME, FIRE);
  const card = (state) => cardOf(GAME, FIRE, question, { ...NOTHING, ...state });
  expect(card({ answer: told(0.5) }).is).toBe("empty");
  question.fields.stack = "4-6-7";
  expect(card({})).toEqual({ is: "working", share: null, done: 0 });
  expect(card({ progress: { done: 3, expected: 4 } })).toEqual({ is: "working", share: 0.75, done: 3 });
  expect(card({ fault: "no such unit" })).toEqual({ is: "fault", words: "no such unit" });
  expect(card({ isStopped: true }).words).toContain("Stopped");
  expect(card({ answer: told(0.25), pinned: { question, answer: told(0.5) } })).toEqual({
    is: "number",
    title: "8 FP at 4-6-7",
    main: { words: "4-6-7 · unbroken", value: 0.25 },
    also: [],
    curve: [],
    before: 0.5,
  });
  const curves = { 1: [0.125, 0.25] };
  expect(card({ answer: { ...told(0.25), curves } })).toMatchObject({
    also: [{ words: "next", value: 0.125 }],
    curve: [0.125, 0.25],
  });
  const counts = [1, 2].map((number) => ({ class: "breaks", number, at_least: 1 / number }));
  expect(card({ answer: { ...told(0.25, 0.5), counts } }).also).toEqual([
    { words: "at least one breaks", value: 1 },
    { words: "4-6-7 [2]", value: 0.5 },
  ]);
  expect(
    card({ answer: { meta: { question: "?" }, screen: [{ text: "a" }, { text: "b", answer: true }] } }),
  ).toEqual({ is: "words", title: "?", words: "b" });
  delete question.fields.fp;
  expect(card({ fault: "`fp` is missing" }).words).toBe("Choose FP.");
});

test("shares in whole percents, and differences in points", () => {
  const plain = (text) => text.replaceAll("\u00a0", " ");
  for (const [share, shown] of [
    [0, "0 %"],
    [0.001, "< 1 %"],
    [0.664, "66 %"],
    [0.9949, "99 %"],
    [0.9951, "> 99 %"],
    [1, "100 %"],
  ])
    expect(plain(percent(share, 0))).toBe(shown);
  expect([change(0.31), change(-0.02), change(0), change(0.001)]).toEqual(["+31", "−2", "±0", "< +1"]);
  setGerman(true);
  expect(plain(percent(0.12345))).toBe("12,35 %");
  setGerman(false);
  expect(plain(percent(0.12345))).toBe("12.35 %");
});
