// Questions about every game, asked by taps alone on a phone.
// Each answer must equal that of the command line to the link of the page.
import { execFileSync } from "node:child_process";

import { PHONE, answered, expect, game, lowcrawl, open, test, turn } from "./page.mjs";

test.use(PHONE);

const field = (page, path) => page.locator(`[data-path="${path}"]`);

/** Puts a counter into a field, and taps its conditions. */
async function put(page, path, side, name, ...conditions) {
  const units = field(page, path);
  if (!(await units.locator(".tray").isVisible())) await units.locator(".slot.add").tap();
  const unit = units.getByRole("button", { name: `add ${side} ${name}`.replace("  ", " "), exact: true });
  if (!(await unit.count()))
    await units.locator(".tray").getByRole("button", { name: side, exact: true }).tap();
  await unit.tap();
  for (const condition of conditions)
    await units.locator(".panel").getByRole("button", { name: condition, exact: true }).tap();
}

async function more(page, path, times) {
  const step = field(page, path).getByRole("button", { name: /more$/ });
  const fold = page.locator(`details:has([data-path="${path}"]) > summary`);
  if (!(await step.isVisible())) await fold.tap();
  for (let time = 0; time < times; time++) await step.tap();
}

/** The questions, each with its taps and the expected part of its request. */
const QUESTIONS = {
  "Low Crawl or run, over eight Player Turns?": [
    "asl",
    "campaign",
    async (page) => {
      await put(page, "unit", "german", "4-6-7", "dm");
      await more(page, "turns", 2);
    },
    { request: "solve", turns: 8, objective: "good-order" },
  ],
  "by dice, a million times?": [
    "asl",
    "rally",
    async (page) => {
      await put(page, "stack", "german", "4-6-7", "dm");
      await page.getByText("how it is answered").tap();
      await page.locator("#field-options-engine").selectOption("monte-carlo");
    },
    { options: { engine: "monte-carlo" } },
  ],
  "does a unit of samurai recover?": [
    "fortitude",
    "recover",
    async (page) => put(page, "units", "", "unit", "shaken"),
    { units: "unit/shaken" },
  ],
  "does it stand five attack dice?": [
    "fortitude",
    "fire",
    async (page) => put(page, "units", "", "unit"),
    { units: "unit", dice: 5, value: 6 },
  ],
  "does a tank live through a volley?": [
    "reaction",
    "volley",
    async (page) => put(page, "target", "", "panther"),
    { target: "panther", dice: 5 },
  ],
  "do the Command Dice fail?": ["reaction", "command", async () => {}, { dice: 5 }],
};

for (const [asked, [system, kind, taps, request]] of Object.entries(QUESTIONS))
  test(asked, async ({ page }) => {
    const strange = await open(page);
    await game(page, system);
    await turn(page, kind);
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
    if (typeof answer.headline?.value === "number")
      await expect(page.locator(".answer")).toContainText(`${(100 * answer.headline.value).toFixed(2)} %`);
    expect(strange).toEqual([]);
  });
