// Ten questions of a new player, asked by taps alone on a phone.
// Each answer must equal that of the command line to the link of the page.
import { execFileSync } from "node:child_process";

import { PHONE, answered, expect, lowcrawl, open, test } from "./page.mjs";

test.use(PHONE);

const field = (page, name) => page.locator(".field", { has: page.locator(`#field-${name}`) }).last();

/** Puts counters into a field: takes each from the tray, then taps its conditions. */
async function put(page, name, ...counters) {
  const units = field(page, name).locator(".units");
  for (const [place, [side, called, ...conditions]] of counters.entries()) {
    if (!(await units.locator(".tray").isVisible())) await units.locator(".slot.add").tap();
    const tab = units.locator(".tray .chips").getByRole("button", { name: side, exact: true });
    if (side && (await tab.count())) await tab.tap();
    await units
      .locator(".tray")
      .getByRole("button", { name: `add ${side} ${called}`.replace("  ", " "), exact: true })
      .tap();
    if (!conditions.length) continue;
    await units.locator(".stack .slot").nth(place).tap();
    for (const condition of conditions)
      await units.locator(".panel").getByRole("button", { name: condition, exact: true }).tap();
    await units.locator(".panel").getByRole("button", { name: "done" }).tap();
  }
}

async function more(page, name, times) {
  const step = field(page, name).getByRole("button", { name: /more$/ });
  if (!(await step.isVisible()))
    await page
      .locator("summary", { hasText: /^more$/ })
      .first()
      .tap();
  for (let time = 0; time < times; time++) await step.tap();
}

const choose = (page, name, word) => page.locator(`#field-${name}`).selectOption(word);

/** The questions, each with its taps and the expected part of its request. */
const TEN = {
  "does he rally under DM, with a leader in woods?": [
    "Advanced Squad Leader",
    "rally",
    async (page) => {
      await put(page, "stack", ["german", "4-6-7", "dm"]);
      await put(page, "leader", ["german", "9-1"]);
      await choose(page, "terrain", "woods");
    },
    { stack: "german:4-6-7/broken,dm", leader: "german:9-1", terrain: "woods" },
  ],
  "what does an attack of 3 FP do to them?": [
    "Advanced Squad Leader",
    "fire",
    async (page) => {
      await put(page, "stack", ["american", "6-6-6"], ["american", "8-0"]);
      await more(page, "fp", 3);
    },
    { fp: 3 },
  ],
  "do they stand a check?": [
    "Advanced Squad Leader",
    "check",
    async (page) => {
      await put(page, "stack", ["russian", "4-4-7"], ["russian", "4-4-7"]);
      await more(page, "mc", 3);
    },
    { mc: 2 },
  ],
  "does he live to reach the woods?": [
    "Advanced Squad Leader",
    "interdict",
    async (page) => {
      await put(page, "stack", ["german", "4-6-7", "dm"]);
      await more(page, "hexes", 2);
    },
    { hexes: 2 },
  ],
  "Low Crawl or run, over eight Player Turns?": [
    "Advanced Squad Leader",
    "campaign",
    async (page) => {
      await put(page, "unit", ["german", "4-6-7", "dm"]);
      await more(page, "turns", 2);
    },
    { request: "solve", turns: 8, objective: "good-order" },
  ],
  "what if he is shot at, and then rallies?": [
    "Advanced Squad Leader",
    "sequence",
    async (page) => {
      await put(page, "stack", ["german", "4-6-7"]);
      await page.getByRole("button", { name: "+ fire" }).tap();
      await more(page, "step-0-fp", 3);
      await page.getByRole("button", { name: "+ rally" }).tap();
      await choose(page, "step-1-terrain", "woods");
    },
    { step: [{ do: "fire" }, { do: "rally", terrain: "woods" }] },
  ],
  "the first roll was 3,4: what now?": [
    "Advanced Squad Leader",
    "rally",
    async (page) => {
      await put(page, "stack", ["german", "4-6-7", "dm"]);
      await page.getByText("What now?").tap();
      await page.getByRole("button", { name: "coloured die 3" }).tap();
      await page.getByRole("button", { name: "white die 4" }).tap();
    },
    { given: "3,4" },
  ],
  "by dice, a million times?": [
    "Advanced Squad Leader",
    "rally",
    async (page) => {
      await put(page, "stack", ["german", "4-6-7", "dm"]);
      await page.getByText("how it is answered").tap();
      await choose(page, "options-engine", "monte-carlo");
    },
    { options: { engine: "monte-carlo" } },
  ],
  "does a unit of samurai recover?": [
    "Samurai Battles",
    "recover",
    async (page) => {
      await put(page, "units", ["", "unit", "shaken"]);
    },
    { units: "unit/shaken" },
  ],
  "does a tank live through a volley?": [
    "Reaction Dice",
    "volley",
    async (page) => {
      await put(page, "target", ["", "panther"]);
      await more(page, "dice", 5);
    },
    { target: "panther" },
  ],
};

for (const [asked, [system, kind, taps, request]] of Object.entries(TEN))
  test(asked, async ({ page }) => {
    const strange = await open(page);
    await page.getByRole("button", { name: system }).tap();
    await page.locator(".kinds").getByRole("button", { name: kind, exact: true }).tap();
    await taps(page);
    await answered(page, "");
    // The test waits until the link no longer changes.
    let link = "";
    await expect
      .poll(async () => {
        const before = link;
        link = page.url();
        return link === before && link.includes("#");
      })
      .toBe(true);
    const line = decodeURIComponent(link.slice(link.indexOf("#") + 1));
    const answer = JSON.parse(
      execFileSync(lowcrawl, ["ask", "-"], { input: `${line}\n`, stdio: ["pipe", "pipe", "ignore"] }),
    );
    expect(answer.request).toMatchObject(request);
    await expect(page.locator(".answer .question")).toHaveText(answer.meta.question);
    const hopes = Array.isArray(answer.headline) ? answer.headline : [];
    for (const { probability, unit } of hopes
      .filter(({ probability, fraction }) => probability > 0 || fraction === null)
      .slice(0, 6))
      await expect(
        page
          .locator(".tiles li", { hasText: unit })
          .filter({ hasText: `${(100 * probability).toFixed(2)}\u00a0%` })
          .first(),
      ).toBeVisible();
    if (!hopes.length)
      await expect(page.locator(".answer")).toContainText(`${(100 * answer.headline.value).toFixed(2)} %`);
    expect(strange).toEqual([]);
  });
