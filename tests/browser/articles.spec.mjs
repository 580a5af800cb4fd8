// Tests that the pages of articles are valid and accessible.

import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { HtmlValidate } from "html-validate";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const articles = readdirSync(join(root, "docs/articles")).filter((name) => name.endsWith(".md"));
const built = mkdtempSync(join(tmpdir(), "lowcrawl-articles-"));
// The articles contain pictures of routs and charts together.
const shown = [
  "rout sk06.toml",
  "rout full-board.toml",
  "rout sk08.toml",
  "rally german:4-6-7/dm --phases 3",
];
const fences = shown.map(
  (asked, number) => `\`\`\`lowcrawl ${number === 3 ? "chart" : "map"}\n${asked}\n\`\`\`\n`,
);

test.beforeAll(() => {
  const files = articles.map((name) => join("docs/articles", name));
  execFileSync(process.env.LOWCRAWL, ["article", ...files, "--root", ".", "--html", "--out", built], {
    cwd: root,
    stdio: "pipe",
  });
  writeFileSync(join(built, "pictures.md"), `---\nlang: en-GB\n---\n\n# Pictures\n\n${fences.join("\n")}`);
  const rout = ["article", join(built, "pictures.md"), "--root", "studies/rout", "--html", "--out", built];
  execFileSync(process.env.LOWCRAWL, rout, { cwd: root, stdio: "pipe" });
});

for (const name of [...articles, "pictures.md"]) {
  const file = join(built, name.replace(/md$/, "html"));

  test(`${name} is valid HTML`, async () => {
    const report = await new HtmlValidate({ extends: ["html-validate:recommended"] }).validateString(
      readFileSync(file, "utf8"),
    );
    const told = report.results.flatMap(({ messages }) =>
      messages.map(({ line, ruleId, message }) => `${line}: ${ruleId}: ${message}`),
    );
    expect(told.join("\n")).toBe("");
  });

  for (const [colorScheme, width] of [
    ["light", 1280],
    ["dark", 320],
  ]) {
    test(`${name} can be read by everybody, ${colorScheme}, ${width} px`, async ({ browser }) => {
      const page = await (
        await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
      ).newPage();
      await page.goto(pathToFileURL(file).href);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`).join("\n")).toBe("");
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider, "the page is no wider than the screen").toBeLessThanOrEqual(0);
    });
  }
}
