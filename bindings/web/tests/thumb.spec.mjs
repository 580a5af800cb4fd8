// What makes the page quick: initial values, the tray, settings, comparing and sharing.
import { execFileSync } from "node:child_process";

import { DESK, PHONE, answered, expect, field, lowcrawl, open, settings, test, turn } from "./page.mjs";

const chance = (request) =>
  JSON.parse(
    execFileSync(lowcrawl, ["ask", "-"], {
      input: `${JSON.stringify(request)}\n`,
      stdio: ["pipe", "pipe", "ignore"],
    }),
  ).headline[0].probability;
const main = (page) => page.locator(".card .main strong data");
const DM = { kind: "rally", stack: "german:4-6-7/dm" };

test.describe("phone", () => {
  test.use({ ...PHONE, viewport: { width: 360, height: 740 } });

  test("fields that a question needs have a value at first, and an empty one is asked for", async ({
    page,
  }) => {
    await open(page);
    for (const [kind, name, value] of [
      ["fire", "fp", 8],
      ["check", "mc", 0],
      ["interdict", "hexes", 1],
    ]) {
      await turn(page, kind);
      await field(page, "stack").fill("german:4-6-7");
      await expect(field(page, name)).toHaveValue(String(value));
      await expect(main(page)).toHaveJSProperty(
        "value",
        String(chance({ kind, stack: "german:4-6-7", [name]: value })),
      );
    }
    await turn(page, "fire");
    await field(page, "fp").fill("");
    await expect(page.locator(".card .status")).toHaveText("Choose FP.");
    await page.locator('[data-path="fp"]').getByRole("button", { name: "12", exact: true }).tap();
    await expect(main(page)).toHaveJSProperty(
      "value",
      String(chance({ kind: "fire", stack: "german:4-6-7", fp: 12 })),
    );
  });

  test("firers take the place of FP and DRM, and give it back", async ({ page }) => {
    await open(page);
    // The terrain of another kind of question means nothing without firers.
    await field(page, "terrain").selectOption("woods");
    await turn(page, "fire");
    await expect(field(page, "terrain")).toHaveValue("");
    await field(page, "stack").fill("russian:4-4-7");
    await page.locator(".attack > summary").tap();
    await field(page, "by").fill("german:4-6-7");
    await field(page, "range").fill("3");
    await field(page, "terrain").selectOption("woods");
    await expect(field(page, "fp")).toHaveValue("");
    await answered(page, "range 3");
    await page.locator('[data-path="fp"]').getByRole("button", { name: "4", exact: true }).click();
    await expect(field(page, "by")).toHaveValue("");
    await expect(field(page, "range")).toHaveValue("");
    await expect(field(page, "terrain")).toHaveValue("");
    await expect(main(page)).toHaveJSProperty(
      "value",
      String(chance({ kind: "fire", stack: "russian:4-4-7", fp: 4 })),
    );
  });

  test("the tray finds units by digits, and begins with recent ones and those with a star", async ({
    page,
  }) => {
    await open(page);
    const names = () =>
      page
        .locator(".tray .grid button")
        .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    await page.getByLabel("search a unit").fill("527");
    expect(await names()).toEqual(["add russian 5-2-7"]);
    await page.getByRole("button", { name: "add russian 5-2-7", exact: true }).tap();
    await page.getByLabel("search a unit").fill("german 838");
    await page.getByRole("button", { name: "add german 8-3-8", exact: true }).tap();
    await page.getByRole("button", { name: "keep among the first units" }).tap();
    await page.reload();
    await page.waitForSelector("html[data-ready]");
    await page.getByRole("button", { name: "add a unit" }).tap();
    expect((await names()).slice(0, 3)).toEqual([
      "add german 8-3-8",
      "add russian 5-2-7",
      "add german 4-6-7",
    ]);
  });

  test("settings of the game are said once, and a link has its own", async ({ page }) => {
    await open(page);
    await settings(page);
    await page.locator('[data-path="elr"]').getByRole("button", { name: "2", exact: true }).tap();
    for (const kind of ["check", "campaign", "fire"]) {
      await turn(page, kind);
      await expect(field(page, "elr")).toHaveValue("2");
      await expect(page.locator(".settings > summary")).toContainText("ELR 2");
    }
    await page.locator('[data-path="elr"]').getByRole("button", { name: "3", exact: true }).tap();
    await turn(page, "check");
    await expect(field(page, "elr")).toHaveValue("");
    await expect(page.locator(".settings > summary")).toContainText("ELR 3");
  });

  test("a pinned question stays beside the next one until it is let go", async ({ page }) => {
    await open(page);
    await field(page, "stack").fill(DM.stack);
    const before = chance(DM);
    await expect(main(page)).toHaveJSProperty("value", String(before));
    await page.getByRole("button", { name: "Compare" }).tap();
    await page.locator('[data-path="terrain"]').getByRole("button", { name: "woods", exact: true }).tap();
    const after = chance({ ...DM, terrain: "woods" });
    await expect(main(page)).toHaveJSProperty("value", String(after));
    await expect(page.locator(".card .from data")).toHaveJSProperty("value", String(before));
    await expect(page.locator(".card .change")).toHaveJSProperty("value", String(after - before));
    // Chances of another kind of question are no more or less.
    await turn(page, "check");
    await expect(main(page)).toBeVisible();
    await expect(page.locator(".card .change")).toHaveCount(0);
    await page.getByRole("button", { name: "Unpin" }).tap();
    await expect(page.locator(".beside")).toBeHidden();
  });

  test("what would help most is told with its difference, and is taken by a tap", async ({ page }) => {
    await open(page);
    await field(page, "stack").fill(DM.stack);
    await answered(page, "over 6 Rally Phases");
    await page.getByRole("button", { name: "What helps?" }).tap();
    const helps = page.locator(".helps .chip");
    const best = chance({ ...DM, leader: "9-2" }) - chance(DM);
    const leader = helps.filter({ hasText: "Leader: 9-2" });
    await expect(leader.locator("data")).toHaveJSProperty("value", String(best));
    await expect(helps.filter({ hasText: "Terrain: " })).toHaveCount(1);
    const shown = await helps.locator("data").evaluateAll((all) => all.map(({ value }) => Number(value)));
    expect(shown).toEqual(shown.toSorted((a, b) => b - a));
    await leader.tap();
    await expect(field(page, "leader")).toHaveValue("9-2");
    await expect(main(page)).toHaveJSProperty("value", String(chance({ ...DM, leader: "9-2" })));
    await expect(page.getByRole("button", { name: "What helps?" })).toBeVisible();
  });

  test("a link is copied where nothing can be shared", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.addInitScript(() => {
      navigator.share = undefined;
    });
    await open(page);
    await expect(page.getByRole("button", { name: "Share" })).toBeDisabled();
    await field(page, "stack").fill(DM.stack);
    await answered(page, "over 6 Rally Phases");
    await page.getByRole("button", { name: "Share" }).tap();
    await expect(page.locator(".notice")).toContainText("Copied.");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
  });
});

test.describe("desk", () => {
  test.use(DESK);

  test("the focus stays in the form whatever a key removes", async ({ page }) => {
    await open(page);
    const press = async (locator) => {
      await locator.focus();
      await page.keyboard.press("Enter");
      await page.evaluate(() => new Promise(requestAnimationFrame));
      expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true);
    };
    const name = (text) => page.getByRole("button", { name: text, exact: true });
    await press(name("add german 4-6-7"));
    await press(name("dm"));
    await press(name("done"));
    await press(name("german 4-6-7 dm: change"));
    await press(page.locator('[data-path="leader"]').getByRole("button", { name: "9-1", exact: true }));
    await press(name("9-1: change"));
    await press(page.locator('[data-path="leader"]').getByRole("button", { name: "remove", exact: true }));
    await press(page.locator(".kinds .rest"));
    await press(page.locator('.kinds [data-kind="sequence"]'));
    await press(name("+ fire"));
    await press(name("remove step 1"));
  });

  test("numbers of a reader whose language has a decimal comma", async ({ browser }) => {
    for (const [locale, written] of [
      ["fr-FR", /^\d+,\d\d\s%$/],
      ["he-IL", /^\d+\.\d\d\s%$/],
    ]) {
      const context = await browser.newContext({ locale, baseURL: "http://localhost:4173/sub/" });
      const page = await context.newPage();
      await open(page);
      await page.evaluate(() => {
        document.documentElement.dir = "rtl";
      });
      await field(page, "stack").fill(DM.stack);
      await expect(page.locator(".tiles strong").first()).toHaveText(written);
      expect(await main(page).evaluate((data) => getComputedStyle(data).direction)).toBe("ltr");
      await context.close();
    }
  });
});
