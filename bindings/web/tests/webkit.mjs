// Tests the page in WebKit, the engine of iPhones: it asks, answers and draws.
// The test needs WebKitWebDriver and a display (`xvfb-run node ...`).
import assert from "node:assert/strict";
import { spawn } from "node:child_process";

import { watchFigures } from "./figures.mjs";

const PORT = 4517;
const driver = spawn("WebKitWebDriver", [`--port=${PORT}`], { stdio: "ignore" });
const server = spawn(process.execPath, [new URL("serve.mjs", import.meta.url).pathname], { stdio: "ignore" });
const pause = (time) => new Promise((done) => setTimeout(done, time));

async function call(method, path, body) {
  const answer = await fetch(`http://127.0.0.1:${PORT}${path}`, {
    method,
    body: body && JSON.stringify(body),
  });
  const { value } = await answer.json();
  if (value?.error) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

/** Retries until the condition holds or too much time has passed. */
async function until(what, is) {
  for (let left = 500; left > 0; left--) {
    const found = await is().catch(() => undefined);
    if (found) return found;
    await pause(200);
  }
  throw new Error(`not so after 100 s: ${what}`);
}

try {
  const { sessionId } = await until("a browser", () =>
    call("POST", "/session", {
      capabilities: {
        alwaysMatch: {
          "webkitgtk:browserOptions": { binary: process.env.MINIBROWSER, args: ["--automation"] },
        },
      },
    }),
  );
  const page = (method, path, body) => call(method, `/session/${sessionId}${path}`, body);
  const run = (script, ...args) => page("POST", "/execute/sync", { script, args });
  // A window that was never laid out may draw no frames.
  await page("POST", "/window/rect", { x: 0, y: 0, width: 900, height: 700 });
  await until("the page", async () => {
    await page("POST", "/url", { url: "http://localhost:4173/sub/" });
    return true;
  });
  await until("the engine", () => run("return document.documentElement.dataset.ready === 'true'"));
  await run(`(${watchFigures})()`);
  await run(
    "const field = document.querySelector('#field-stack'); field.value = 'german:4-6-7/dm'; field.dispatchEvent(new Event('input'));",
  );
  const told = await until("an answer", () =>
    run("return document.querySelector('.answer:not(.old) .tiles strong')?.textContent"),
  );
  assert.match(told, /^\d+\.\d\d\s%$/);
  assert.equal(await run("return document.querySelectorAll('.chart svg').length"), 1);
  const seen = () =>
    run(
      "return { places: figures.look().places, faults: [...figures.found, ...figures.look().faults], frames: figures.frames }",
    );
  assert.ok((await seen()).places.includes(".tiles"));
  // The map works too, with a unit put down by its text.
  await run("document.querySelector('[data-kind=rout]').click()");
  const hexes = await until("a map", () =>
    run("return document.querySelectorAll('.board svg text.name').length"),
  );
  assert.equal(hexes, 56);
  await run(
    "const text = document.querySelector('textarea'); text.closest('details').open = true; text.value = arguments[0]; [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Draw it').click();",
    '[map]\narea = "A1-E5"\n[[rout]]\nunit = "german:4-6-7/dm"\nat = "C3"\n[[enemy]]\nunit = "russian:4-4-7"\nat = "A1"\n',
  );
  await until("a rout", () =>
    run(
      "return document.querySelectorAll('.board .piece').length === 2 && document.querySelector('.answer:not(.old)')?.textContent.includes('must rout')",
    ),
  );
  await until("a frame", () => run("return figures.frames > 0"));
  const { places, faults, frames } = await seen();
  assert.ok(frames > 0 && places.includes(".board"), `${frames} frames, with ${places}`);
  assert.deepEqual(faults, []);
  // A fault leaves no figure.
  await run(
    "const field = document.querySelector('#field-turns'); field.value = 'many'; field.dispatchEvent(new Event('input'));",
  );
  await until("a fault", () =>
    run("return document.querySelector('#field-turns-fault').textContent.includes('many')"),
  );
  assert.deepEqual(
    (await seen()).places.filter((place) => ![".fault", ".status", ".unseen"].includes(place)),
    [],
  );
  await page("DELETE", "");
  console.log(`WebKit: a rally of one squad, ${told}`);
} finally {
  driver.kill();
  server.kill();
}
