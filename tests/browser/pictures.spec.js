// Tests that every text lies in the frame and over no other text.
// They use two fonts, three widths, and light and dark colours.
const fs = require("node:fs");
const path = require("node:path");
const { test, expect } = require("@playwright/test");
const pictures = require("./answers.js");

const FONTS = ["Liberation Sans", "DejaVu Sans"];
const WIDTHS = [320, 720, 1600];
// The halo of a text is a copy of the text.
const LABELS = {
  charts: "text",
  boards: ":is(svg > text, .hexes text)",
  routs: "text:not(.halo)",
};

// Runs in the page, and returns the faults of the texts of a picture, by their ink in pixels.
function faults({ svg, labels, font }) {
  document.body.innerHTML = svg;
  const picture = document.querySelector("svg");
  const style = document.createElement("style");
  style.textContent = `text{font-family:'${font}' !important}`;
  picture.append(style);
  const frame = picture.viewBox.baseVal;
  const toPicture = picture.getScreenCTM().inverse();
  const pen = document.createElement("canvas").getContext("2d");
  // Content under a counter or behind a plate is not read.
  const covers = [...picture.querySelectorAll("rect.counter, rect.plate")];
  const isCovered = (text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return covers.some((cover) => {
      if (!(text.compareDocumentPosition(cover) & Node.DOCUMENT_POSITION_FOLLOWING)) return false;
      const over = cover.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      return over.left <= x && x <= over.right && over.top <= y && y <= over.bottom;
    });
  };
  const read = [...picture.querySelectorAll(labels)].filter((text) => !isCovered(text));
  const boxes = read.map((text) => {
    const { fontStyle, fontWeight, fontSize } = getComputedStyle(text);
    pen.font = `${fontStyle} ${fontWeight} ${fontSize} '${font}'`;
    const ink = pen.measureText(text.textContent);
    const { x, width } = text.getBBox();
    const y = Number(text.getAttribute("y"));
    const place = toPicture.multiply(text.getScreenCTM());
    const corner = (x, y) => new DOMPoint(x, y).matrixTransform(place);
    const from = corner(x, y - ink.actualBoundingBoxAscent);
    const to = corner(x + width, y + ink.actualBoundingBoxDescent);
    return { words: text.textContent, left: from.x, top: from.y, right: to.x, bottom: to.y };
  });
  // Less than a pixel cannot be seen.
  const slack = 0.75;
  const wrong = [];
  const say = (box) => `"${box.words}" (${[box.left, box.top, box.right, box.bottom].map(Math.round)})`;
  boxes.sort((one, other) => one.top - other.top);
  boxes.forEach((one, number) => {
    if (
      one.left < frame.x - slack ||
      one.top < frame.y - slack ||
      one.right > frame.x + frame.width + slack ||
      one.bottom > frame.y + frame.height + slack
    ) {
      wrong.push(`out of the frame: ${say(one)}`);
    }
    for (let at = number + 1; at < boxes.length && boxes[at].top < one.bottom - slack; at += 1) {
      const other = boxes[at];
      if (one.left < other.right - slack && other.left < one.right - slack) {
        wrong.push(`${say(one)} over ${say(other)}`);
      }
    }
  });
  return { texts: boxes.length, wrong };
}

let all;
test.beforeAll(() => {
  all = pictures();
});

test("there is one of every kind", () => {
  expect(all.charts.length).toBe(300);
  const kinds = new Set(
    Object.values(all)
      .flat()
      .map((picture) => picture.kind),
  );
  for (const kind of ["bars", "curve", "steps", "heat", "choices", "difference", "map", "rout"]) {
    expect([...kinds]).toContain(kind);
  }
});

test("what is wrong is found", async ({ page }) => {
  const text = (x, y, words) => `<text x="${x}" y="${y}" font-size="12">${words}</text>`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60" width="200">` +
    text(5, 20, "one") +
    text(15, 24, "over") +
    text(5, 50, "apart") +
    text(185, 50, "outside") +
    "</svg>";
  await page.setContent("");
  for (const font of FONTS) {
    const { wrong } = await page.evaluate(faults, { svg, labels: "text", font });
    expect(wrong.map((fault) => fault.replace(/ \(.*?\)/g, ""))).toEqual([
      '"one" over "over"',
      'out of the frame: "outside"',
    ]);
  }
});

for (const scheme of ["light", "dark"]) {
  for (const width of WIDTHS) {
    for (const font of FONTS) {
      test(`labels in ${font} at ${width} px, ${scheme}`, async ({ page }) => {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width, height: 900 });
        await page.setContent("<style>body{margin:0}svg{width:100%;height:auto;display:block}</style>");
        const wrong = [];
        for (const [group, list] of Object.entries(all)) {
          for (const { name, svg } of list) {
            const found = await page.evaluate(faults, { svg, labels: LABELS[group], font });
            if (found.texts < 3) wrong.push(`${name}: only ${found.texts} texts`);
            found.wrong.slice(0, 3).forEach((fault) => wrong.push(`${name}: ${fault}`));
          }
        }
        expect(wrong).toEqual([]);
      });
    }
  }
}

// These pictures are for viewing, and are not compared.
test("pictures to look at", async ({ page }) => {
  const folder = path.join(__dirname, "pictures");
  fs.mkdirSync(folder, { recursive: true });
  const shown = new Map(
    Object.values(all)
      .flat()
      .map((picture) => [picture.kind, picture]),
  );
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const [kind, { svg }] of shown) {
      await page.setViewportSize({ width: 720, height: 900 });
      await page.setContent(`<style>body{margin:0}svg{width:100%;height:auto;display:block}</style>${svg}`);
      await page.screenshot({ path: path.join(folder, `${kind}-${scheme}.png`), fullPage: true });
    }
  }
  expect(fs.readdirSync(folder).length).toBe(2 * shown.size);
});
