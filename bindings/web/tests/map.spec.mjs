// The map: drawn by taps and strokes, routed, changed, saved, opened, and compared with the command
// line.
import { AxeBuilder } from "@axe-core/playwright";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { DESK, PHONE, answered, expect, lowcrawl, open, pictures, test, turn } from "./page.mjs";

const studies = fileURLToPath(new URL("../../../studies/rout/", import.meta.url));

/** Opens the page with its map. */
async function begin(page) {
  const strange = await open(page);
  await turn(page, "rout");
  await expect(page.locator(".board svg .name").first()).toBeAttached();
  return strange;
}

const tool = (page, name) => page.locator(".tools").getByRole("button", { name }).click();
const choice = (page, name) => page.locator(".choices").getByRole("button", { name, exact: true }).click();
const piece = (page, name) => page.locator(".piece").and(page.getByLabel(name));

/** The middle of a hex on the screen. */
async function middle(page, hex) {
  await page.locator(".board").scrollIntoViewIfNeeded();
  return page.evaluate((hex) => {
    const svg = document.querySelector(".board svg");
    const name = [...svg.querySelectorAll("text.name")].find(({ textContent }) => textContent === hex);
    name.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { x, y, width } = name.getBoundingClientRect();
    const scale = svg.getScreenCTM().a;
    return { x: x + width / 2, y: y + 38 * scale };
  }, hex);
}

async function tap(page, ...hexes) {
  for (const hex of hexes) {
    const { x, y } = await middle(page, hex);
    await (page.context().browser() && (await page.evaluate(() => "ontouchstart" in window))
      ? page.touchscreen.tap(x, y)
      : page.mouse.click(x, y));
  }
}

/** Makes a stroke from hex to hex. */
async function stroke(page, ...hexes) {
  const places = [];
  for (const hex of hexes) places.push(await middle(page, hex));
  // The page may have moved between the first and the last hex.
  const now = [];
  for (const hex of hexes)
    now.push(
      await page.evaluate((hex) => {
        const svg = document.querySelector(".board svg");
        const { x, y, width } = [...svg.querySelectorAll("text.name")]
          .find(({ textContent }) => textContent === hex)
          .getBoundingClientRect();
        return { x: x + width / 2, y: y + 38 * svg.getScreenCTM().a };
      }, hex),
    );
  await page.mouse.move(now[0].x, now[0].y);
  await page.mouse.down();
  for (const { x, y } of now.slice(1)) await page.mouse.move(x, y, { steps: 3 });
  await page.mouse.up();
}

async function put(page, group, side, name, hex) {
  await tool(page, "put a unit");
  await choice(page, group);
  const add = page.locator(".choices").getByRole("button", { name: "choose a unit" });
  if (await add.isVisible()) {
    await add.click();
    await page.locator(".choices .tray").getByRole("button", { name: side, exact: true }).click();
    await page
      .locator(".choices .tray")
      .getByRole("button", { name: `add ${side} ${name}`, exact: true })
      .click();
  }
  await tap(page, hex);
}

/** The situation as the page writes it. */
async function saved(page) {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save it" }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}

const LOST = ["eliminated", "captured"];

/** The best plan of each unit by the command line, from a file. */
function native(file) {
  const { rows } = JSON.parse(
    execFileSync(lowcrawl, ["rout", file, "--format", "json"], {
      stdio: ["ignore", "pipe", "ignore"],
    }).toString(),
  );
  const best = new Map();
  const name = ({ unit, hex }) => `${unit} ${hex}`;
  for (const row of rows) if (!best.has(name(row))) best.set(name(row), { plan: row.plan, survives: 0 });
  for (const row of rows)
    if (row.plan === best.get(name(row)).plan && !LOST.includes(row.status))
      best.get(name(row)).survives += row.probability;
  return best;
}

function written(toml) {
  const file = join(mkdtempSync(join(tmpdir(), "lowcrawl-")), "situation.toml");
  writeFileSync(file, toml);
  return native(file);
}

/** Checks that the tiles show the best plans of the command line. */
async function areTold(page, best) {
  const tiles = page.locator(".answer:not(.old) .tiles li");
  const told = [...best].slice(0, 6);
  await expect(tiles).toHaveCount(told.length);
  for (const [place, [unit, { plan, survives }]] of told.entries())
    for (const said of [...unit.split(" "), plan, `${(100 * survives).toFixed(2)} %`.replace(" ", "\u00a0")])
      await expect(tiles.nth(place)).toContainText(said);
}
const isTheSame = async (page) => areTold(page, written(await saved(page)));

for (const [name, use] of Object.entries({ phone: PHONE, desk: DESK }))
  test.describe(name, () => {
    test.use(use);

    test("a map is drawn by taps, routed, changed, saved and opened", async ({ page }) => {
      const strange = await begin(page);
      await tool(page, "terrain");
      await choice(page, "woods");
      await tap(page, "C3", "E5");
      await tool(page, "building");
      await choice(page, "wood");
      await stroke(page, "F3", "F4");
      await tool(page, "hexside");
      await choice(page, "wall");
      await stroke(page, "D3", "D4");
      await tool(page, "road");
      await stroke(page, "A1", "B1", "C2");
      await tool(page, "level");
      await choice(page, "1");
      await tap(page, "A5");
      await tool(page, "smoke, works ..");
      await choice(page, "foxholes");
      await tap(page, "B5");
      await put(page, "routs", "german", "4-6-7", "D4");
      await put(page, "enemy", "russian", "4-4-7", "A4");
      await answered(page, "must rout");
      const drawn = await saved(page);
      for (const said of [
        "woods",
        "C3",
        "E5",
        "wall",
        "D3-D4",
        "foxholes",
        "B5",
        "F4",
        "german:4-6-7",
        "russian:4-4-7",
        "[[rout]]",
        "[map.levels]",
      ])
        expect(drawn).toContain(said);
      expect(drawn).toMatch(/roads = \[[\s\S]*"A1"[\s\S]*"B1"[\s\S]*"C2"/);
      await isTheSame(page);

      // An enemy is dragged, and the odds change.
      await tool(page, "select");
      const to = await middle(page, "E3");
      const at = await piece(page, /^enemy .* in A4$/).boundingBox();
      await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 6 });
      await page.mouse.up();
      await expect(piece(page, /^enemy .* in E3$/)).toBeVisible();
      await expect(page.locator(".answer:not(.old)")).toContainText("E3");
      await isTheSame(page);

      // A tap on a unit opens its fields, and an invalid value is not lost.
      await piece(page, /^routs /).click();
      await page.locator("#field-rout-0-unit").fill("german:4-6-7/brokn");
      await expect(page.locator("#field-rout-0-unit-fault")).toContainText("brokn");
      await page.locator("#field-rout-0-unit").fill("german:4-6-7/broken,dm");
      await page.locator("#field-rout-0-at").fill("Z99");
      await expect(page.locator("#field-rout-0-at-fault")).toBeVisible();
      await page.locator("#field-rout-0-at").fill("D5");
      await expect(piece(page, /^routs .* in D5$/)).toBeVisible();
      await expect(page.locator("#field-rout-0-at-fault")).toBeHidden();
      await isTheSame(page);

      // The test asks about Low Crawl or run over the next turns.
      await page.locator("#field-turns").fill("2");
      await answered(page, "Player Turns");
      await page.locator("#field-turns").fill("");

      // The test asks why a hex is a destination.
      await tool(page, "why there?");
      await tap(page, "C3");
      await expect(page.locator(".editor")).toContainText("A10.51");

      // The map is cleared, restored by undo, saved, and opened anew.
      const file = await saved(page);
      await page.waitForTimeout(800);
      await tool(page, "clear");
      await tap(page, "C3");
      await expect.poll(() => saved(page)).not.toContain('"C3"');
      await page.waitForTimeout(800);
      await page.getByRole("button", { name: "undo" }).click();
      await expect.poll(() => saved(page)).toBe(file);
      await page.getByRole("button", { name: "new map" }).click();
      await expect(page.locator(".piece")).toHaveCount(0);
      await page
        .locator("input[type=file]")
        .setInputFiles({ name: "mine.toml", mimeType: "application/toml", buffer: Buffer.from(file) });
      await expect(page.locator(".piece")).toHaveCount(2);
      await expect.poll(async () => [...written(await saved(page))]).toEqual([...written(file)]);

      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        await page.screenshot({ path: join(pictures, `map-${name}-${colorScheme}.png`), fullPage: true });
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expect(strange).toEqual([]);
    });
  });

test.describe("by keys and from files", () => {
  test.use(DESK);

  test("everything on the map goes by keys", async ({ page }) => {
    await begin(page);
    await put(page, "routs", "german", "4-6-7", "C3");
    await piece(page, /in C3$/).focus();
    await page.keyboard.press("ArrowDown");
    await expect(piece(page, /in C4$/)).toBeFocused();
    await tool(page, "terrain");
    await choice(page, "grain");
    await page.locator(".board").focus();
    for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await expect.poll(() => saved(page)).toMatch(/grain = \["A3"\]|grain = \[\s+"A3",\s+\]/);
    await tool(page, "road");
    await page.locator(".board").focus();
    for (const key of ["Enter", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await expect.poll(() => saved(page)).toMatch(/roads = \[[\s\S]*"A3"[\s\S]*"A4"[\s\S]*"A5"/);
  });

  test("a situation with its tables is opened, as text too, and linked", async ({ page }) => {
    await begin(page);
    const table = (name) => ({ name, mimeType: "text/plain", buffer: readFileSync(join(studies, name)) });
    await page
      .locator("input[type=file]")
      .setInputFiles(["a10-531.toml", "board-01.csv", "los-01.csv"].map(table));
    await answered(page, "4-4-7 in 1I4");
    await areTold(page, native(join(studies, "a10-531.toml")));
    await expect(page.locator(".piece")).toHaveCount(8);

    // Without its tables the situation is refused with their names.
    await page.locator("input[type=file]").setInputFiles([table("a10-531.toml")]);
    await expect(page.locator("body")).toContainText("board-01.csv");

    await page.getByText("as text").click();
    const text = page.getByLabel("the situation as text");
    await expect(text).not.toHaveValue("");
    await text.fill('[map]\narea = "A1-E4"\nhexes = { woods = ["B2" }\n');
    await page.getByRole("button", { name: "Draw it" }).click();
    await expect(page.locator(".editor .fault").filter({ visible: true })).not.toHaveText("");
    // Too many hexes and too large files are refused with a message.
    await text.fill('[map]\narea = "A1-ZZ999"\n');
    await page.getByRole("button", { name: "Draw it" }).click();
    await expect(page.locator(".editor .fault").filter({ visible: true }).first()).toContainText("hexes");
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "big.toml", mimeType: "text/plain", buffer: Buffer.alloc(300 << 10, 32) });
    await expect(page.locator(".notice")).toContainText("256 KiB");
    await text.fill(
      'about = "<b>One</b>"\n[map]\narea = "A1-E4"\nhexes = { woods = ["B2"] }\n[[rout]]\nunit = "german:4-6-7/dm"\nat = "C3"\n[[enemy]]\nunit = "russian:4-4-7"\nat = ["E3", "E4"]\n',
    );
    await page.getByRole("button", { name: "Draw it" }).click();
    await expect(page.locator(".piece")).toHaveCount(3);
    await answered(page, "must rout");
    await expect(page.locator("b")).toHaveCount(0);
    await expect.poll(() => page.url()).toContain("#v=1");
    const link = page.url();
    const said = await page.locator(".answer table").textContent();
    await page.goto("about:blank");
    await open(page, link.slice(link.indexOf("#")));
    await answered(page, "must rout");
    expect(await page.locator(".answer table").textContent()).toBe(said);
    await expect(page.locator(".piece")).toHaveCount(3);
  });
});
