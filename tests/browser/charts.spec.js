// Charts as a browser lays them out: every text lies in the frame, and on no other.

import { expect, test } from "@playwright/test";
import { charts } from "./answers.js";

const FONTS = ["Liberation Sans", "DejaVu Sans"];
/** Pixels that boxes may share: a box is as high as the tallest letter, which few have. */
const TOUCH = 1.5;

let drawn = [];

test.beforeAll(() => {
  drawn = charts(300);
});

/** The faults of a chart in a page. */
function faults({ touch }) {
  const found = [];
  const svg = document.querySelector("svg");
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll("text")].filter((text) => text.textContent.trim());
  const boxes = texts.map((text) => text.getBoundingClientRect());
  boxes.forEach((box, place) => {
    const words = texts[place].textContent;
    if (box.left < frame.left - touch || box.right > frame.right + touch || box.top < frame.top - touch || box.bottom > frame.bottom + touch) {
      found.push(`"${words}" leaves the frame`);
    }
    boxes.slice(place + 1).forEach((other, later) => {
      const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (across > touch && down > touch) found.push(`"${words}" lies on "${texts[place + 1 + later].textContent}"`);
    });
  });
  return found;
}

for (const font of FONTS) {
  test(`texts keep apart in ${font}`, async ({ page }) => {
    const wrong = [];
    for (const { name, svg } of drawn) {
      await page.setContent(`<!doctype html><style>body{margin:0}svg text{font-family:"${font}"!important}</style>${svg}`);
      const found = await page.evaluate(faults, { touch: TOUCH });
      if (found.length) wrong.push(`${name}\n  ${found.slice(0, 3).join("\n  ")}`);
    }
    expect(wrong.join("\n"), `${wrong.length} of ${drawn.length} charts`).toBe("");
  });
}

test("a chart says what it shows, and leaks no style", async ({ page }) => {
  for (const { name, svg } of drawn.slice(0, 40)) {
    await page.setContent(`<!doctype html><p class="title label">beside it</p>${svg}`);
    const told = await page.evaluate(() => ({
      label: document.querySelector("svg").getAttribute("aria-label"),
      title: document.querySelector("svg > title")?.textContent,
      weight: getComputedStyle(document.querySelector("p")).fontWeight,
    }));
    expect(told.label?.length, name).toBeGreaterThan(20);
    expect(told.title?.length, name).toBeGreaterThan(3);
    expect(told.weight, name).toBe("400");
  }
});

test("a chart is dark where its reader is", async ({ page }) => {
  const { svg } = drawn[0];
  const page_of = async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.setContent(`<!doctype html>${svg}`);
    return page.evaluate(() => getComputedStyle(document.querySelector("svg .page")).fill);
  };
  expect(await page_of("dark")).not.toBe(await page_of("light"));
});
