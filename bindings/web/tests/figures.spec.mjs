// Tests that figures, faults and drafts belong to the question on screen, and that faults are in
// view.
import { deflateSync } from "node:zlib";

import { DESK, PHONE, answered, expect, field, game, open, pictures, seen, test, turn } from "./page.mjs";

/** The places of figures of an answer, on every screen. */
const FIGURES = [
  ".tiles",
  ".chart",
  ".answer table",
  ".answer",
  ".beside",
  ".why",
  ".table",
  ".board",
  ".panel",
  ".stop",
];

const link = (request) => `#v=1&q=${deflateSync(JSON.stringify(request)).toString("base64url")}`;

/** A question that takes minutes. */
async function slow(page) {
  await field(page, "stack").fill("9-1/dm + 11x german:4-6-7/dm");
  await page.getByText("how it is answered").click();
  await field(page, "options-engine").selectOption("monte-carlo");
  await field(page, "options-trials").fill("50000000");
}

/** The places that still show figures of another question right after a control has changed. */
const outdated = (page, name, text) =>
  page.evaluate(
    ([name, text]) => {
      const input = document.getElementById(`field-${name}`);
      input.value = text;
      input.dispatchEvent(new Event("input"));
      return figures.look().faults.map((fault) => fault.split(": ")[0]);
    },
    [name, text],
  );

/** Keeps outdated figures visible from then on. */
const expose = (page) =>
  page.addStyleTag({
    content:
      ".old:not([hidden]), .answer.old > * { visibility: visible !important; } .why.old, .panel.old { display: block !important; }",
  });

/** Waits until all these places show figures. */
const shows = (page, places) => expect.poll(() => seen(page)).toEqual(expect.arrayContaining(places));

async function isBare(page) {
  const places = await seen(page);
  expect(places.filter((place) => [".card", ".periods", ...FIGURES].includes(place))).toEqual([]);
}

/** Checks that an element is on screen and nothing covers it. */
async function isInView(locator) {
  await expect(locator).toBeInViewport({ ratio: 1 });
  expect(
    await locator.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }),
  ).toBe(true);
}

for (const [name, look] of [
  ["phone", PHONE],
  ["desk", DESK],
])
  test.describe(name, () => {
    test.use(look);
    const top = [".card"];

    test("a change hides every figure at once, and a figure that stays is found", async ({
      page,
      figures,
    }) => {
      await open(page);
      await field(page, "stack").fill("german:4-6-7/dm");
      await answered(page, "over 6 Rally Phases");
      await page.getByRole("button", { name: "Compare" }).click();
      await field(page, "phases").fill("3");
      await expect(page.locator(".beside .difference")).toContainText("points");
      await page.getByRole("button", { name: "Tell me why" }).click();
      await expect(page.locator(".tale li").first()).toBeVisible();
      await page.getByText("What now?").click();
      const places = [...top, ".periods", ".tiles", ".chart", ".answer table", ".answer", ".beside", ".why"];
      await shows(page, places);
      expect(await outdated(page, "phases", "4")).toEqual([]);
      await answered(page, "over 4 Rally Phases");
      await page.getByRole("button", { name: "Tell me why" }).click();
      await shows(page, places);
      expect(figures).toEqual([]);
      await expose(page);
      expect(await outdated(page, "phases", "5")).toEqual(expect.arrayContaining(places));
      await expect.poll(() => figures.length).toBeGreaterThan(0);
      await page.reload();
      figures.length = 0;
    });

    test("a change hides the odds of a map at once, and those that stay are found", async ({
      page,
      figures,
    }) => {
      await open(
        page,
        link({
          kind: "rout",
          map: { area: "A1-E5", hexes: { woods: ["A4"] } },
          rout: [{ unit: "german:4-6-7/dm", at: "C3" }],
          enemy: [{ unit: "russian:4-4-7", at: "E1" }],
        }),
      );
      await answered(page, "must rout");
      await page.locator(".tools").getByRole("button", { name: "why there?" }).click();
      await page.locator(".board").focus();
      await page.keyboard.press("Enter");
      await expect(page.locator(".editor > .panel").first()).toBeVisible();
      const places = [...top, ".tiles", ".board", ".answer", ".panel"];
      await shows(page, places);
      expect(await outdated(page, "turns", "1")).toEqual([]);
      await answered(page, "Player Turn");
      // The map keeps its hexes and units, without their chances.
      await field(page, "turns").fill("many");
      await expect(page.locator("#field-turns-fault")).toBeVisible();
      await expect(page.locator(".board .names")).toBeVisible();
      await expect(page.locator(".piece")).toHaveCount(2);
      await isBare(page);
      await field(page, "turns").fill("");
      await answered(page, "must rout");
      expect(figures).toEqual([]);
      await page.keyboard.press("Enter");
      await shows(page, places);
      await expose(page);
      expect(await outdated(page, "turns", "1")).toEqual(expect.arrayContaining(places));
      await expect.poll(() => figures.length).toBeGreaterThan(0);
      await page.reload();
      figures.length = 0;
    });

    test("no figure stays after a fault, while computing, after a stop, or without a question", async ({
      page,
    }) => {
      await open(page);
      await field(page, "stack").fill("german:4-6-7/dm");
      await answered(page, "over 6 Rally Phases");
      await shows(page, [...top, ".tiles", ".chart", ".answer table"]);
      await field(page, "leader").fill("german:8-9");
      await expect(page.locator("#field-leader-fault")).toBeVisible();
      await isBare(page);
      await isInView(page.locator(".card .status"));
      // The question is valid again, and its figures are back.
      await field(page, "leader").fill("");
      await answered(page, "over 6 Rally Phases");
      await shows(page, [...top, ".tiles"]);
      await slow(page);
      await expect(page.locator(".stop")).toContainText("%");
      expect((await seen(page)).filter((place) => place !== ".stop" && FIGURES.includes(place))).toEqual([]);
      await isInView(page.locator(".card .words", { hasText: "Computing …" }));
      await page.locator(".stop").click();
      await isInView(page.locator(".status", { hasText: "Stopped" }));
      await isBare(page);
      await field(page, "options-trials").fill("1000");
      await answered(page, "1000 sequences");
      await expect(page.locator(".status")).toHaveCount(0);
      await field(page, "stack").fill("");
      await expect(page.locator(".card")).toContainText("Tap a unit");
      await isBare(page);
    });

    test("a damaged link is told in view until something is changed", async ({ page }) => {
      await open(page, "#v=1&q=!!!");
      const notice = page.locator(".notice", { hasText: "the link is damaged" });
      await isInView(notice);
      await page.screenshot({ path: `${pictures}/damaged-${name}.png` });
      await page.waitForTimeout(4500);
      await isInView(notice);
      await field(page, "stack").fill("german:4-6-7/dm");
      await answered(page, "over 6 Rally Phases");
      await expect(notice).toBeHidden();
      // A further fault is shown at any scroll position.
      for (const top of [0, 300, 1e6]) {
        await page.evaluate((top) => {
          scrollTo(0, top);
          location.hash = `v=1&q=${top}!`;
        }, top);
        await isInView(notice);
        await notice.getByRole("button", { name: "Close" }).click();
        await expect(notice).toBeHidden();
      }
      // The question stays.
      await answered(page, "over 6 Rally Phases");
    });

    test("a fault is told in view at any scroll position", async ({ page }) => {
      await open(page, link({ kind: "rally", stack: "german:4-6-7/dm" }));
      await answered(page, "over 6 Rally Phases");
      const line = page.locator("#field-options-trials-fault");
      const status = page.locator(".status");
      // The question comes from a link, while the page is scrolled far below the field.
      await page.evaluate(
        (fragment) => {
          scrollTo(0, 1e6);
          location.hash = fragment;
        },
        link({ kind: "rally", stack: "german:4-6-7/dm", options: { trials: "many" } }),
      );
      await expect(line).not.toBeEmpty();
      const message = await line.textContent();
      // On a desktop the form stays beside the answer.
      if (name === "phone") await expect(line).not.toBeInViewport();
      await isInView(status);
      await expect(status).toHaveText(message);
      await page.screenshot({ path: `${pictures}/fault-${name}.png` });
      await line.evaluate((line) => line.scrollIntoView({ block: "center" }));
      await isInView(line);
      await isInView(status);
      // A fault of the whole question has no field.
      await page.evaluate(() => scrollTo(0, 0));
      await game(page, "reaction");
      await turn(page, "volley");
      await field(page, "dice").fill("");
      await field(page, "target").fill("panther");
      await isInView(status.filter({ hasText: "Choose dice." }));
    });

    test("a map that cannot be saved says why, in view", async ({ page }) => {
      await open(
        page,
        link({
          kind: "rout",
          map: { area: "A1-E5" },
          rout: [{ unit: "german:4-6-7/dm", at: "C3", name: null }],
        }),
      );
      await page.getByRole("button", { name: "Save it" }).click();
      await isInView(page.locator(".notice"));
    });
  });

test("a figure without a question, of another answer, or in the title is found", async ({
  page,
  figures,
}) => {
  await open(page);
  await field(page, "stack").fill("german:4-6-7/dm");
  await answered(page, "over 6 Rally Phases");
  const found = (forge) =>
    page.evaluate(forge).then(() => page.evaluate(() => window.figures.look().faults.join("\n")));
  const before = await page.locator(".answer").innerHTML();
  for (const [forge, fault] of [
    [() => document.querySelector(".told").append("12.34 %"), 'elsewhere: "12.34 %" belongs to no question'],
    [
      () => {
        document.querySelector(".tiles strong").textContent = "12.34 %";
      },
      '.tiles: "12.34 %" is not of its answer',
    ],
    [
      () => {
        document.title = "12.34 %";
      },
      'title: "12.34 %"',
    ],
  ]) {
    expect(await found(forge)).toContain(fault);
    await page.reload();
    await answered(page, "over 6 Rally Phases");
  }
  // The test puts an old answer under the name of the new question.
  await field(page, "phases").fill("2");
  await answered(page, "over 2 Rally Phases");
  await page.locator(".answer").evaluate((answer, before) => {
    answer.innerHTML = before;
  }, before);
  const forged = await found(() => {});
  for (const place of ["the question", "the share", "the drawing", "the cell"])
    expect(forged).toContain(`is not of its answer: ${place}`);
  await page.reload();
  figures.length = 0;
});

test("a draft survives a reload", async ({ page }) => {
  const reload = async () => {
    await page.reload();
    await page.waitForSelector("html[data-ready]");
  };
  await open(page);
  await field(page, "stack").fill("german:4-6-7/dm");
  await answered(page, "over 6 Rally Phases");
  // A refused question survives a reload.
  await field(page, "leader").fill("german:8-");
  await expect(page.locator("#field-leader-fault")).toBeVisible();
  await reload();
  await expect(field(page, "stack")).toHaveValue("german:4-6-7/dm");
  await expect(field(page, "leader")).toHaveValue("german:8-");
  await expect(page.locator("#field-leader-fault")).toBeVisible();
  // The draft stays beside a damaged link, and a valid link replaces it.
  await page.evaluate(() => {
    location.hash = "v=1&q=!!!";
  });
  await reload();
  await expect(page.locator(".notice")).toContainText("the link is damaged");
  await expect(field(page, "leader")).toHaveValue("german:8-");
  await page.goto("about:blank");
  await page.goto(`./${link({ kind: "rally", stack: "german:4-6-8/dm" })}`);
  await answered(page, "german:4-6-8");
  // A question without an answer yet survives a reload.
  await slow(page);
  await expect(page.locator(".stop")).toContainText("%");
  await reload();
  await expect(field(page, "options-trials")).toHaveValue("50000000");
  await expect(page.locator(".stop")).toBeVisible();
  await page.locator(".stop").click();
  // So does an empty question, and a kind without any input.
  await turn(page, "sequence");
  await field(page, "stack").fill("");
  await page.getByRole("button", { name: "+ fire" }).click();
  await reload();
  await expect(field(page, "step-0-fp")).toBeVisible();
  // So does a map with a fault.
  await turn(page, "rout");
  await page.getByText("as text").click();
  const text = page.getByLabel("the situation as text");
  await text.fill('[map]\narea = "A1-E4"\n[[rout]]\nunit = "german:4-6-7/brokn"\nat = "C3"\n');
  await page.getByRole("button", { name: "Draw it" }).click();
  await expect(page.locator("#field-rout-0-unit-fault")).toContainText("brokn");
  await reload();
  await expect(page.locator("#field-rout-0-unit")).toHaveValue("german:4-6-7/brokn");
  // Another tab begins anew, and an invalid draft does no harm.
  for (const draft of ["[", "7", '"x"', "null", '{"kind":7}', '{"kind":"rally","stack":{"a":1},"step":5}']) {
    await page.evaluate((draft) => sessionStorage.setItem("lowcrawl.draft", draft), draft);
    await reload();
    await expect(field(page, "stack")).toHaveValue("");
  }
});

test("the page never replaces the text of a map that is being edited", async ({ page }) => {
  // The engine delays the file of the map until the text has the focus.
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (data) {
      setTimeout(() => postMessage.call(this, data), data.call === "file" ? 500 : 0);
    };
  });
  await open(page);
  await turn(page, "rout");
  await page.getByText("as text").click();
  const text = page.getByLabel("the situation as text");
  await text.focus();
  await page.waitForTimeout(1200);
  await expect(text).toHaveValue("");
  await text.pressSequentially("[map]");
  await expect(text).toHaveValue("[map]");
  // Text without a change of the user is filled in once it is left.
  await text.fill("");
  await text.blur();
  await expect(text).toHaveValue(/area = "A1-H7"/);
});

test("an answer that took long is kept in Recent, and no older one for it", async ({ page }) => {
  // The engine delays one question.
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (data) {
      setTimeout(
        () => postMessage.call(this, data),
        data.call === "ask" && data.text.includes("4-6-8") ? 2000 : 0,
      );
    };
  });
  await open(page);
  await field(page, "stack").fill("german:4-6-7/dm");
  await answered(page, "over 6 Rally Phases");
  await expect(page.locator(".recents li")).toHaveCount(1);
  await page.getByRole("button", { name: "Clear" }).click();
  await field(page, "stack").fill("german:4-6-8/dm");
  await page.waitForTimeout(1200);
  await expect(page.locator(".stop")).toBeVisible();
  await expect(page.locator(".recents li")).toHaveCount(0);
  await answered(page, "german:4-6-8");
  await expect(page.locator(".recents li")).toContainText(["german:4-6-8/broken,dm over 6 Rally Phases"]);
});
