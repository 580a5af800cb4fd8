// Tests of the page on a phone and on a desktop.
import { AxeBuilder } from "@axe-core/playwright";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { brotliCompressSync, deflateSync } from "node:zlib";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { DESK, PHONE, answered, expect, field, game, lowcrawl, open, pictures, test, turn } from "./page.mjs";
import { difference, questions, routs } from "./questions.mjs";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const file = (pattern) =>
  join(
    dist,
    "assets",
    readdirSync(join(dist, "assets")).find((name) => pattern.test(name)),
  );
const address = (pattern) => `assets/${basename(file(pattern))}`;

/**
 * The greatest sizes in KiB of the module with brotli and of the one file, as docs/page.md
 * explains.
 */
const [MODULE, SINGLE] = [2100, 4300];

const native = (requests) =>
  execFileSync(lowcrawl, ["ask", "-"], {
    input: `${requests.join("\n")}\n`,
    maxBuffer: 1 << 30,
    stdio: ["pipe", "pipe", "ignore"],
  })
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
/** Asks like `native`, but accepts faults, after which the exit code is 2. */
function asked(requests) {
  try {
    return native(requests);
  } catch (error) {
    return error.stdout
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }
}

/** Answers of the page's own worker. */
const inBrowser = (page, requests) =>
  page.evaluate(
    async ([worker, module, requests]) => {
      const engine = new Worker(worker);
      engine.postMessage({ module: await WebAssembly.compile(await (await fetch(module)).arrayBuffer()) });
      const answers = [];
      for (const [number, text] of requests.entries()) {
        engine.postMessage({ number, call: "ask", text, all: false, width: 320 });
        answers.push(
          await new Promise((done) => {
            engine.onmessage = ({ data }) => data.done === undefined && done(data.text ?? data);
          }),
        );
      }
      engine.terminate();
      return answers;
    },
    [address(/^worker.*\.js$/), address(/\.wasm$/), requests],
  );

const description = () => JSON.parse(execFileSync(lowcrawl, ["describe"], { maxBuffer: 1 << 26 }));

const some = (place, system) =>
  system === "routs" ? routs(description(), 400, 7) : questions(description(), system, 1200, 100 + place);

for (const [place, system] of ["asl", "fortitude", "reaction", "routs"].entries()) {
  test(`300 questions of ${system} have the answers of the command line`, async ({ page }) => {
    await open(page);
    // So many requests give 300 answers with odds; both sides must refuse the same ones.
    const requests = some(place, system);
    const typed = asked(requests);
    const told = (await inBrowser(page, requests)).map((text) => JSON.parse(text));
    let good = 0;
    for (const [number, request] of requests.entries()) {
      const { screen, charts, curves, markdown, picture, map, ...answer } = told[number];
      const { line, ...expected } = typed[number];
      for (const one of [answer, expected]) if (one.meta) delete one.meta.command;
      expect(difference(answer, expected), request).toBeNull();
      good += expected.fault ? 0 : 1;
    }
    console.log(`${system}: ${good} of ${requests.length} had odds, the others the same fault`);
    expect(good).toBeGreaterThanOrEqual(300);
  });
}

for (const [name, look] of [
  ["phone", PHONE],
  ["desk", DESK],
]) {
  for (const scheme of ["light", "dark"]) {
    test.describe(`${name}, ${scheme}`, () => {
      test.use({ ...look, colorScheme: scheme });
      test("a question by taps only, and nothing for a checker of pages to find", async ({ page }) => {
        const strange = await open(page);
        await page.getByRole("button", { name: "add german 4-6-7", exact: true }).click();
        await page.getByRole("button", { name: "add german 9-1", exact: true }).click();
        await page.getByRole("button", { name: /german 4-6-7: change/ }).click();
        await page.getByRole("button", { name: "dm", exact: true }).click();
        await page.getByRole("button", { name: "done" }).click();
        await page.getByRole("button", { name: "add a unit" }).click();
        await expect(field(page, "stack")).toHaveValue("german:4-6-7/dm + german:9-1");
        await field(page, "terrain").selectOption("woods");
        await page.getByRole("button", { name: "phases less" }).click();
        await answered(page, "over 5 Rally Phases in woods");
        await expect(page.locator(".tiles li").first()).toContainText("%");
        await expect(page.locator(".chart svg")).toBeVisible();
        await page.waitForTimeout(900);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(wide).toBeLessThanOrEqual(0);
        await page.evaluate(() =>
          document.querySelectorAll("details").forEach((details) => {
            details.open = true;
          }),
        );
        await page.getByRole("button", { name: "Tell me why" }).click();
        await expect(page.locator(".tale li").first()).toBeVisible();
        await page.getByRole("button", { name: "Compare" }).click();
        await field(page, "terrain").selectOption("");
        await expect(page.locator(".beside .difference")).toContainText("points");
        await expect(page.locator(".beside")).toContainText("how they compare");
        await page.screenshot({ path: join(pictures, `${name}-${scheme}.png`), fullPage: true });
        const found = await new AxeBuilder({ page }).analyze();
        expect(
          found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
        ).toEqual([]);
        expect(strange).toEqual([]);
      });
    });
  }
}

test("what is typed and what is tapped are in step, and can be undone", async ({ page }) => {
  await open(page);
  await field(page, "stack").fill("2x german:4-6-7/dm + 8-1");
  await expect(page.locator(".stack .slot:not(.add)")).toHaveCount(5 - 3);
  await answered(page, "german:8-1");
  await page.waitForTimeout(900);
  await field(page, "phases").fill("2");
  await answered(page, "over 2 Rally Phases");
  await page.waitForTimeout(900);
  await page.getByRole("button", { name: "undo" }).click();
  await answered(page, "over 6 Rally Phases");
  await expect(field(page, "phases")).toHaveValue("");
  await page.getByRole("button", { name: "redo" }).click();
  await answered(page, "over 2 Rally Phases");
});

test("two changes at once leave nothing at work", async ({ page }) => {
  await open(page);
  await field(page, "stack").fill("german:4-6-7/dm");
  await answered(page, "over 6 Rally Phases");
  // The first answer still arrives, because it takes no time, but it is no longer wanted.
  await field(page, "phases").evaluate((input) => {
    for (const phases of ["2", "3"]) {
      input.value = phases;
      input.dispatchEvent(new Event("input"));
    }
  });
  await answered(page, "over 3 Rally Phases");
  await page.waitForTimeout(400);
  await expect(page.locator(".answer.old, .bar.busy")).toHaveCount(0, { timeout: 1 });
  await expect(page.getByRole("button", { name: /^Stop/ })).toBeHidden();
});

test("a link holds the question", async ({ page, context }) => {
  await open(page);
  await field(page, "stack").fill("german:4-6-7/dm");
  await field(page, "leader").fill("8-1");
  await answered(page, "led by german:8-1");
  await expect.poll(() => page.url()).toContain("#v=1&q=");
  const other = await context.newPage();
  await open(other, new URL(page.url()).hash);
  await answered(other, "led by german:8-1");
  await expect(field(other, "leader")).toHaveValue("german:8-1");
  for (const [fragment, message] of [
    ["#v=2&q=AA", "the link has an unknown version"],
    ["#v=1&q=!!!", "the link is damaged"],
    ["#%", "the link has an unknown version"],
    [`#v=1&q=${"A".repeat(3000)}`, "too long"],
  ]) {
    const bad = await context.newPage();
    await open(bad, fragment);
    await expect(bad.locator(".notice")).toContainText(message);
    await bad.close();
  }
});

test("markup in a link stays text", async ({ page }) => {
  const text = "<img src=x onerror=alert(1)>";
  const request = JSON.stringify({ kind: "rally", stack: text, leader: text });
  const strange = await open(page, `#v=1&q=${deflateSync(request).toString("base64url")}`);
  await expect(field(page, "stack")).toHaveValue(text);
  await expect(page.locator("#field-stack-fault")).toBeVisible();
  expect(await page.locator("#page img").count()).toBe(0);
  expect(strange).toEqual([]);
});

test("nonsense is refused in the words of the command line, at its field", async ({ page }) => {
  await open(page);
  await field(page, "stack").fill("german:4-6-7/dm");
  for (const [name, text] of [
    ["leader", "german:8-9"],
    ["phases", "many"],
    ["phases", "99"],
    ["leader", "<img src=x onerror=alert(1)>"],
    ["stack", "german:4-6-7/dmm"],
    ["stack", "9-9-9"],
    ["stack", "<b>4-6-7</b>"],
  ]) {
    const before = await field(page, name).inputValue();
    await field(page, name).fill(text);
    const request = {
      system: "asl",
      kind: "rally",
      stack: "german:4-6-7/dm",
      [name]: name === "phases" && /^\d+$/.test(text) ? Number(text) : text,
    };
    const [{ fault }] = asked([JSON.stringify(request)]);
    await expect(page.locator(`#field-${name}-fault`)).toHaveText(
      fault.message + (fault.help ? ` (${fault.help})` : ""),
    );
    // The typed text is not lost.
    await expect(field(page, name)).toHaveValue(text);
    expect(await page.locator("img, script:not([src])").count()).toBe(0);
    await field(page, name).fill(before);
    await answered(page, "Rally Phases");
    await expect(page.locator(`#field-${name}-fault`)).toBeHidden();
  }
});

test("dice on the table, and the odds from there", async ({ page }) => {
  await open(page);
  await field(page, "stack").fill("german:4-6-7/dm");
  await answered(page, "over 6 Rally Phases");
  await page.getByText("What now?").click();
  await page.getByRole("button", { name: "coloured die 3" }).click();
  await page.getByRole("button", { name: "white die 3" }).click();
  await answered(page, "given 3,3");
  await page.getByRole("button", { name: "take back" }).click();
  await expect(page.locator(".answer .question")).not.toContainText("given");
});

test("a long answer is stopped at once, and what is asked next is answered", async ({ page }) => {
  await open(page);
  await turn(page, "rally");
  await field(page, "stack").fill("9-1/dm + 11x german:4-6-7/dm");
  await page.getByText("how it is answered").click();
  await field(page, "options-engine").selectOption("monte-carlo");
  await field(page, "options-trials").fill("50000000");
  const stop = page.getByRole("button", { name: /^Stop/ });
  await expect(stop).toBeVisible();
  await expect(stop).toContainText("%");
  const taken = await stop.evaluate(async (button) => {
    const before = performance.now();
    button.click();
    while (!button.hidden) await new Promise(requestAnimationFrame);
    return performance.now() - before;
  });
  expect(taken).toBeLessThan(200);
  await field(page, "options-trials").fill("1000");
  await answered(page, "1000 sequences");
});

test("every kind of every system has a form that answers or says what is missing", async ({ page }) => {
  const strange = await open(page);
  const systems = await page
    .locator("[data-system]")
    .evaluateAll((all) => all.map((one) => one.dataset.system));
  for (const system of systems) {
    await game(page, system);
    const kinds = await page.locator("[data-kind]").evaluateAll((all) => all.map((one) => one.dataset.kind));
    for (const kind of kinds) {
      await turn(page, kind);
      await expect(page.locator(".form .field").first()).toBeVisible();
      await expect(page.locator(".card")).toContainText(/\S/);
    }
  }
  expect(strange).toEqual([]);
});

test("a chain of steps", async ({ page }) => {
  await open(page);
  await turn(page, "sequence");
  await field(page, "stack").fill("2x german:4-6-7");
  await page.getByRole("button", { name: "+ fire" }).click();
  await field(page, "step-0-fp").fill("8");
  await page.getByRole("button", { name: "+ rally" }).click();
  await answered(page, "step 2");
  await field(page, "step-0-fp").fill("0");
  await expect(page.locator("#field-step-0-fp-fault")).toContainText("fp");
});

test("it works without a network once it was seen", async ({ page, context }) => {
  await open(page);
  await page.evaluate(async () => {
    await caches.open("of another page");
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await field(page, "stack").fill("german:4-6-7/dm");
  await answered(page, "Rally Phases");
  expect(await page.evaluate(() => caches.has("of another page"))).toBe(true);
});

test("one file runs from disk", async ({ page }) => {
  const requests = [];
  page.on("request", (request) => /^https?:/.test(request.url()) && requests.push(request.url()));
  await page.goto(pathToFileURL(join(dist, "lowcrawl.html")).href);
  await page.waitForSelector("html[data-ready]");
  await field(page, "stack").fill("german:4-6-7/dm");
  await answered(page, "Rally Phases");
  expect(requests).toEqual([]);
});

test("recent questions stay on the device until they are cleared", async ({ page }) => {
  await open(page);
  await field(page, "stack").fill("german:4-6-7/dm");
  await answered(page, "Rally Phases");
  await expect(page.locator(".recents li")).toHaveCount(1);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  await page.locator(".recents li button").first().click();
  await answered(page, "Rally Phases");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.locator(".recents")).toBeHidden();
});

test("a certified chance says how certain it is, as the command line does", async ({ page }) => {
  await open(page);
  await field(page, "stack").fill("9-1/dm + 5x german:4-6-7/dm");
  await field(page, "phases").fill("3");
  const screen = execFileSync(lowcrawl, ["rally", "9-1/dm + 5x german:4-6-7/dm", "--phases", "3"]);
  const [certain] = /certain to [\d.]+ points/.exec(String(screen).replace(/\s+/g, " "));
  await expect(page.locator(".answer:not(.old) .tiles small").first()).toContainText(certain, {
    timeout: 240_000,
  });
  await answered(page, certain);
});

test("numbers as they are written in German", async ({ page }) => {
  await open(page);
  await field(page, "stack").fill("german:4-6-7/dm");
  await answered(page, "Rally Phases");
  await page.getByRole("button", { name: "decimal comma or point" }).click();
  await expect(page.locator(".tiles strong").first()).toHaveText(/^\d+,\d\d\s%$/);
  await expect(page.locator(".answer")).not.toContainText(/\d\.\d\d %/);
});

test("no file is larger than it may be", async () => {
  const size = (path) => brotliCompressSync(readFileSync(path)).length;
  const [module, script, single] = [
    size(file(/\.wasm$/)),
    size(file(/^index.*\.js$/)),
    statSync(join(dist, "lowcrawl.html")).size,
  ];
  console.log(
    `module ${(module / 1024).toFixed(0)} KiB and script ${(script / 1024).toFixed(0)} KiB with brotli, one file ${(single / 1024).toFixed(0)} KiB`,
  );
  expect(module).toBeLessThan(MODULE * 1024);
  expect(script).toBeLessThan(40 * 1024);
  expect(single).toBeLessThan(SINGLE * 1024);
});

test("how fast it is beside the binary", async ({ page }) => {
  await open(page);
  const rally = { system: "asl", kind: "rally", stack: "german:4-6-7/dm", leader: "8-1" };
  const seven = { ...rally, stack: "9-1 + 6x german:4-6-7/dm", leader: undefined, phases: 2 };
  const drawn = { ...rally, options: { engine: "monte-carlo", trials: 20000000 } };
  const time = (run) => {
    const before = process.hrtime.bigint();
    run();
    return Number(process.hrtime.bigint() - before) / 1e6;
  };
  // The page and the binary take turns with equal requests, as JSON and on one core.
  // Then the page is measured with words and charts.
  const one = (request, many) => {
    const lines = `${Array(many).fill(JSON.stringify(request)).join("\n")}\n`;
    return time(() =>
      execFileSync(lowcrawl, ["ask", "-"], {
        input: lines,
        maxBuffer: 1 << 30,
        env: { ...process.env, RAYON_NUM_THREADS: "1" },
        stdio: ["pipe", "pipe", "ignore"],
      }),
    );
  };
  const inPage = (request, many, width) =>
    page.evaluate(
      async ([worker, module, line, many, width]) => {
        globalThis.engine ??= await (async () => {
          const engine = new Worker(worker);
          engine.postMessage({
            module: await WebAssembly.compile(await (await fetch(module)).arrayBuffer()),
          });
          return engine;
        })();
        const before = performance.now();
        for (let number = 0; number < many; number++)
          await new Promise((done) => {
            engine.onmessage = ({ data }) => data.done === undefined && done();
            engine.postMessage({ number, call: "ask", text: line, all: false, width });
          });
        return performance.now() - before;
      },
      [address(/^worker.*\.js$/), address(/\.wasm$/), JSON.stringify(request), many, width],
    );
  for (const [name, request, many] of [
    ["a rally", rally, 300],
    ["a stack of seven", seven, 60],
    ["20,000,000 sequences", drawn, 1],
  ]) {
    await inPage(request, many, 0);
    let [told, typed, drawnToo] = [Infinity, Infinity, Infinity];
    for (let turn = 0; turn < 5; turn++) {
      typed = Math.min(typed, one(request, many) - one({ ...rally, stack: "german:4-6-7" }, 1));
      told = Math.min(told, await inPage(request, many, 0));
      drawnToo = Math.min(drawnToo, await inPage(request, many, 320));
    }
    console.log(
      `${name}: ${(told / many).toFixed(2)} ms in the page, ${(typed / many).toFixed(2)} ms by the binary on one core, ${(told / typed).toFixed(2)} times; ${(drawnToo / many).toFixed(2)} ms with words and charts`,
    );
    expect(told).toBeGreaterThan(0);
  }
});

test.describe("at a quarter of the speed", () => {
  test.use(PHONE);
  test("how long the first paint, the first answer and a change take", async ({ page, context }) => {
    const session = await context.newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    const begun = Date.now();
    await open(page, "#v=1&q=");
    const ready = Date.now() - begun;
    const paint = await page.evaluate(
      () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
    );
    const time = async (text) => {
      const before = Date.now();
      await field(page, "stack").fill(text);
      await answered(page, text);
      return Date.now() - before;
    };
    const first = await time("german:4-6-7/broken,dm");
    const next = await time("german:4-6-8/broken,dm");
    console.log(
      `first paint ${paint.toFixed(0)} ms, ready ${ready} ms, first answer ${first} ms, a change ${next} ms`,
    );
    expect(paint).toBeGreaterThan(0);
  });
});
