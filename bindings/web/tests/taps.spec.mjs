// Questions of a player, asked with a thumb on a phone: taps and swipes are counted, and the number
// that is in view must be the one of the command line.
import { execFileSync } from "node:child_process";

import { PHONE, expect, lowcrawl, open, test } from "./page.mjs";

const VIEW = { width: 360, height: 740 };
/** The pixels that a swipe scrolls. */
const SWIPE = 450;

/** Answers of the command line to requests. */
const native = (request) =>
  JSON.parse(
    execFileSync(lowcrawl, ["ask", "-"], {
      input: `${JSON.stringify(request)}\n`,
      stdio: ["pipe", "pipe", "ignore"],
    }),
  );
const chance = (request, place = 0) => native(request).headline[place].probability;

/** Counts the taps on a page, and the swipes that it takes until a control is in view. */
class Thumb {
  taps = 0;
  swipes = 0;

  constructor(page) {
    this.page = page;
  }

  /** Counts the swipes to an element: those of the page, and one for each part that scrolls. */
  async reach(locator) {
    await expect(locator).toBeVisible();
    const [pixels, isHidden] = await locator.evaluate((element) => {
      const { y, bottom, left, width, height } = element.getBoundingClientRect();
      const over = Math.max(0, -y, bottom - innerHeight);
      const at = document.elementFromPoint(left + width / 2, y + height / 2);
      return [over, over === 0 && !(at && (element.contains(at) || at.contains(element)))];
    });
    const swipes = Math.ceil(pixels / SWIPE) + (isHidden ? 1 : 0);
    if (swipes) console.log(`${swipes} swipes to ${locator}, ${pixels} pixels away`);
    this.swipes += swipes;
  }

  async tap(locator) {
    await this.reach(locator);
    await locator.tap();
    this.taps++;
  }

  /** Taps a button by its name, in a part of the page. */
  press = (name, part = "body") =>
    this.tap(this.page.locator(part).getByRole("button", { name, exact: true }).first());
  async turn(kind) {
    const tile = this.page.locator(`.kinds [data-kind="${kind}"]`);
    if (!(await tile.isVisible())) await this.press("more", ".kinds");
    await this.tap(tile);
  }
  /** Takes a unit from the tray of a field. */
  async take(unit, name = "stack") {
    const part = `[data-path="${name}"]`;
    const units = this.page.locator(part);
    if (!(await units.locator(".tray").isVisible())) await this.tap(units.locator(".slot.add"));
    const [side] = unit.split(" ");
    if (!(await units.getByRole("button", { name: `add ${unit}`, exact: true }).count()))
      await this.press(side, `${part} .tray`);
    await this.press(`add ${unit}`, `${part} .tray`);
  }
  /** Taps a common value of a field. */
  value = (name, value) => this.press(value, `[data-path="${name}"] :is(.pad, .stack)`);
}

/** Whether a number is in view, exactly, as the `value` of a `data` element. */
async function isInView(thumb, selector, value) {
  const number = thumb.page.locator(`${selector} data`).first();
  await expect(number).toHaveJSProperty("value", String(value));
  await thumb.reach(number);
}

const DM = { kind: "rally", stack: "german:4-6-7/dm" };
const MAIN = ".card .main strong";
/** Each question: what is tapped, and the place and the value of its number. */
const ROWS = {
  "1. a leader, woods, DM, the next two Rally Phases": async (thumb) => {
    await thumb.take("german 4-6-7");
    await thumb.press("dm", ".panel");
    await thumb.value("leader", "9-1");
    await thumb.value("terrain", "woods");
    const request = { ...DM, leader: "9-1", terrain: "woods" };
    await isInView(thumb, ".periods .box:nth-child(2)", chance({ ...request, phases: 2 }));
  },
  "2. 12 FP +2 at three units: does anything break?": async (thumb) => {
    await thumb.turn("fire");
    await thumb.take("american 6-6-6");
    await thumb.take("american 6-6-6");
    await thumb.take("american 8-0");
    await thumb.value("fp", "12");
    await thumb.value("drm", "+2");
    const { counts } = native({ kind: "fire", stack: "2x american:6-6-6 + american:8-0", fp: 12, drm: 2 });
    const breaks = counts.find((row) => row.class === "breaks" && row.number === 1).at_least;
    await isInView(thumb, ".card .also li:has-text('at least one breaks')", breaks);
  },
  "3. a 2MC with a 7-0": async (thumb) => {
    await thumb.turn("check");
    await thumb.take("russian 4-4-7");
    await thumb.take("russian 7-0");
    await thumb.value("mc", "2");
    await isInView(thumb, MAIN, chance({ kind: "check", stack: "russian:4-4-7 + russian:7-0", mc: 2 }));
  },
  "4. a rout through two Interdicted hexes": async (thumb) => {
    await thumb.turn("interdict");
    await thumb.take("german 4-6-7");
    await thumb.value("hexes", "2");
    await isInView(thumb, MAIN, chance({ kind: "interdict", stack: "german:4-6-7", hexes: 2 }));
  },
  "5. Low Crawl or run, six Player Turns": async (thumb) => {
    await thumb.turn("campaign");
    await thumb.take("german 4-6-7", "unit");
    await thumb.press("dm", ".panel");
    const request = { request: "solve", kind: "campaign", unit: "german:4-6-7/dm", objective: "good-order" };
    await isInView(thumb, MAIN, native(request).headline.value);
  },
  "6. 8 FP -1, then a rally in woods": async (thumb) => {
    await thumb.turn("sequence");
    await thumb.take("german 4-6-7");
    await thumb.press("+ fire");
    await thumb.value("step.0.drm", "−1");
    await thumb.press("+ rally");
    await thumb.value("step.1.terrain", "woods");
    const step = [
      { do: "fire", fp: 8, drm: -1 },
      { do: "rally", terrain: "woods" },
    ];
    await isInView(thumb, MAIN, chance({ kind: "sequence", stack: "german:4-6-7", step }));
  },
  "7. 3,4 was rolled: and now?": async (thumb) => {
    await thumb.take("german 4-6-7");
    await thumb.press("dm", ".panel");
    await thumb.press("dice of 1");
    await thumb.press("coloured die 3");
    await thumb.press("white die 4");
    await isInView(thumb, MAIN, chance({ ...DM, given: "3,4" }));
  },
  "8. with or without the 9-1?": async (thumb) => {
    await thumb.take("german 4-6-7");
    await thumb.press("dm", ".panel");
    await thumb.press("Compare");
    await thumb.value("leader", "9-1");
    const difference = chance({ ...DM, leader: "9-1" }) - chance(DM);
    const shown = thumb.page.locator(".card data.change");
    await expect(shown).toHaveJSProperty("value", String(difference));
    await thumb.reach(shown);
  },
  "9. Starter Kit, ELR 2": async (thumb) => {
    await thumb.take("german 4-6-7");
    await thumb.press("dm", ".panel");
    await thumb.tap(thumb.page.locator(".settings > summary"));
    await thumb.value("profile", "aslsk");
    await thumb.value("elr", "2");
    await isInView(thumb, MAIN, chance({ ...DM, profile: "aslsk", elr: 2 }));
    // The settings hold for another kind too, after a reload.
    await thumb.page.evaluate(() => sessionStorage.clear());
    await thumb.page.goto("about:blank");
    await open(thumb.page);
    await thumb.page.locator('.kinds [data-kind="check"]').tap();
    await expect(thumb.page.locator(".settings > summary")).toContainText("ELR 2");
    await expect(thumb.page.locator("#field-profile")).toHaveValue("aslsk");
  },
  "10. send it to a friend": async (thumb) => {
    await thumb.take("german 4-6-7");
    await thumb.press("dm", ".panel");
    await expect(thumb.page.locator(`${MAIN} data`)).toHaveJSProperty("value", String(chance(DM)));
    await thumb.press("Share");
    const shared = await thumb.page.evaluate(() => window.shared);
    expect(shared.url).toBe(thumb.page.url());
    expect(shared.text).toContain("german:4-6-7/broken,dm");
  },
};
/** The attack of a player in all its parts, which may take twelve taps. */
const ATTACK = async (thumb) => {
  await thumb.turn("fire");
  await thumb.take("russian 4-4-7");
  await thumb.tap(thumb.page.locator(".attack > summary"));
  await thumb.take("german 4-6-7", "by");
  await thumb.press("mmg", ".attack .panel");
  await thumb.take("german 4-6-7", "by");
  await thumb.take("german 8-1", "by");
  await thumb.value("range", "8");
  await thumb.value("terrain", "stone");
  const by = "german:4-6-7/mmg + german:4-6-7 + german:8-1";
  const request = { kind: "fire", stack: "russian:4-4-7", by, range: 8, terrain: "stone" };
  await isInView(thumb, MAIN, chance(request));
};

test.use({ ...PHONE, viewport: VIEW });

/** Asks a question on a fresh page, and returns the thumb that did. */
async function play(page, name, row) {
  await page.addInitScript(() => {
    navigator.share = async (shared) => {
      window.shared = shared;
    };
  });
  const strange = await open(page);
  const thumb = new Thumb(page);
  await row(thumb);
  console.log(`${name}: ${thumb.taps} taps, ${thumb.swipes} swipes`);
  expect(thumb.swipes).toBe(0);
  expect(strange).toEqual([]);
  return thumb.taps;
}

test.describe("a player's questions without a swipe", () => {
  const taps = [];
  for (const [name, row] of Object.entries(ROWS))
    test(name, async ({ page }) => {
      taps.push(await play(page, name, row));
    });
  test("take at most six taps on average", async () => {
    expect(taps).toHaveLength(Object.keys(ROWS).length);
    const mean = taps.reduce((sum, one) => sum + one) / taps.length;
    console.log(`mean ${mean.toFixed(1)} taps`);
    expect(mean).toBeLessThanOrEqual(6);
  });
});

test("an attack with its firers, range and terrain takes at most twelve taps", async ({ page }) => {
  expect(await play(page, "11. my attack", ATTACK)).toBeLessThanOrEqual(12);
});
