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
  for (const kind of ["bars", "details", "curve", "steps", "heat", "choices", "difference", "map", "rout"]) {
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

// Runs in the page, and returns the colours of the classes of a chart, their contrast with the page,
// and its parts of 2 % or more that the legend or the description does not name.
function classes(svg) {
  document.body.innerHTML = svg;
  const channels = (colour) =>
    colour
      .match(/[\d.]+/g)
      .slice(0, 3)
      .map((part) => part / 255);
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).map(linear);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const fill = (element) => getComputedStyle(element).fill;
  const paper = luminance(fill(document.querySelector(".page")));
  const marks = [...document.querySelectorAll("rect.mark, circle.dot")];
  const colours = marks.map((mark) => {
    const [kind, name] = mark.getAttribute("class").split(" ");
    const light = luminance(fill(mark));
    return {
      name: `${kind} ${name}`,
      colour: fill(mark),
      contrast: Math.max(light, paper) / Math.min(light, paper),
    };
  });
  const legend = [...document.querySelectorAll("text.label.start")].map((text) => text.textContent);
  const desc = document.querySelector("desc").textContent;
  const parts = marks.filter((mark) => mark.matches("rect") && mark.querySelector("title"));
  const titles = parts.map((mark) => mark.querySelector("title").textContent);
  const isLarge = (title) => Number(/: ([\d.]+) %$/.exec(title)?.[1]) >= 2;
  const isNamed = (title) => legend.some((name) => title.includes(`${name}: `) && desc.includes(`${name} `));
  const isStacked = parts.length > new Set(parts.map((mark) => mark.getAttribute("y"))).size;
  return { colours, unnamed: isStacked ? titles.filter((title) => isLarge(title) && !isNamed(title)) : [] };
}

for (const [scheme, least] of [
  ["light", 1.5],
  ["dark", 3],
]) {
  test(`every class has one colour, and all of 2 % is named, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setContent("");
    const known = new Map();
    const wrong = [];
    for (const { name, svg, kind } of all.charts) {
      if (!["bars", "details", "curve", "steps"].includes(kind)) continue;
      const { colours, unnamed } = await page.evaluate(classes, svg);
      unnamed.forEach((title) => wrong.push(`${name}: ${title} is not named`));
      for (const { name: what, colour, contrast } of colours) {
        if (contrast < least) wrong.push(`${name}: ${what} has a contrast of ${contrast}`);
        if (!known.has(what)) known.set(what, colour);
        if (known.get(what) !== colour) wrong.push(`${name}: ${what} is ${colour} and ${known.get(what)}`);
      }
    }
    expect([...known.keys()].length).toBeGreaterThan(8);
    expect(wrong).toEqual([]);
  });
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
