// Shared helpers of the tests of the page.
import { devices, expect } from "@playwright/test";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { seen, test } from "./figures.mjs";

export { expect, seen, test };

export const pictures = fileURLToPath(new URL("pictures", import.meta.url));
export const lowcrawl = process.env.LOWCRAWL;
mkdirSync(pictures, { recursive: true });

const { defaultBrowserType: _, ...phone } = devices["Pixel 5"];
export const PHONE = { ...phone, viewport: { width: 320, height: 640 } };
export const DESK = { viewport: { width: 1280, height: 900 } };

/** Opens the page and waits until it is ready; every request to another host is a fault. */
export async function open(page, fragment = "") {
  const strange = [];
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== "http://localhost:4173" && !["blob:", "data:"].includes(protocol))
      strange.push(request.url());
  });
  page.on("pageerror", (error) => strange.push(String(error)));
  page.on("console", (message) => message.type() === "error" && strange.push(message.text()));
  await page.goto(`./${fragment}`);
  await page.waitForSelector("html[data-ready]");
  return strange;
}

export const field = (page, name) => page.locator(`#field-${name}`);

/** Waits until the current answer contains this text and its figures have been checked. */
export async function answered(page, text) {
  await expect(page.locator(".answer:not(.old)")).toContainText(text);
  expect(await seen(page)).toContain(".answer");
}

/** Turns to a kind of question, which may be among those that unfold. */
export async function turn(page, kind) {
  const tile = page.locator(`.kinds [data-kind="${kind}"]`);
  if (!(await tile.isVisible())) await page.locator(".kinds .rest").click();
  await tile.click();
}

/** Opens the line of settings, if it is folded. */
export async function settings(page) {
  if (!(await page.locator(".systems").isVisible())) await page.locator(".settings > summary").click();
}

/** Turns to another game. */
export async function game(page, name) {
  await settings(page);
  await page.locator(`[data-system="${name}"]`).click();
}
