// Tests with files in which all names look like HTML, SVG, Markdown or a template.
// Nothing of them may run in a page, a picture, a book or Markdown, nor may the text of an article.

import { expect, test } from "@playwright/test";
import MarkdownIt from "markdown-it";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FILES = join(dirname(fileURLToPath(import.meta.url)), "../fixtures/names");
const ORIGIN = "http://names.test";
const payloads = JSON.parse(readFileSync(join(FILES, "payloads.json"), "utf8"));
// This renderer lets all HTML through.
const markdownIt = new MarkdownIt({ html: true, linkify: true });

// The outputs made from the files, by name.
function made(name) {
  const folder = mkdtempSync(join(tmpdir(), "lowcrawl-names-"));
  const json = JSON.stringify(name).slice(1, -1);
  const quoted = `'${name.replaceAll("'", "'\\''")}'`;
  for (const file of readdirSync(FILES)) {
    const texts = { NAME: json, TEXT: json, PLAYER: name, HEADING: "Names", QUOTED: quoted };
    const text = readFileSync(join(FILES, file), "utf8");
    writeFileSync(
      join(folder, file),
      text.replace(/\b(NAME|TEXT|PLAYER|HEADING|QUOTED)\b/g, (word) => texts[word]),
    );
  }
  writeFileSync(
    join(folder, "author.md"),
    `# ${name}\n\nSaid ${name}\n\n${name}\n\n<div>${name}\n</div>\n\n| a | b |\n|---|---|\n| 1 | ${name} |\n`,
  );
  const lowcrawl = (input, ...words) =>
    execFileSync(process.env.LOWCRAWL, words, { cwd: folder, input, encoding: "utf8", stdio: "pipe" });
  const read = (file) => readFileSync(join(folder, file), "utf8");
  lowcrawl("", "article", "article.md", "--out", "built");
  lowcrawl("", "article", "article.md", "author.md", "--out", "built", "--html");
  const chapter = {
    Chapter: { name: "Names", content: read("article.md"), path: "article.md", sub_items: [] },
  };
  const context = { root: join(folder, "built"), config: { book: { src: ".." } }, renderer: "html" };
  const book = JSON.parse(
    lowcrawl(JSON.stringify([context, { sections: [chapter] }]), "article", "--mdbook"),
  );
  const rendered = (markdown) => `<!DOCTYPE html><title>x</title>${markdownIt.render(markdown)}`;
  const pictures = readdirSync(join(folder, "built")).filter((file) => file.endsWith(".svg"));
  return {
    "page.html": read("built/article.html"),
    "author.html": read("built/author.html"),
    "markdown.html": rendered(read("built/article.md")),
    "book.html": rendered(book.sections[0].Chapter.content),
    "pictures.html": `<!DOCTYPE html><title>x</title>${pictures.map((file) => read(join("built", file))).join("\n")}`,
    ...Object.fromEntries(pictures.map((file) => [file, read(join("built", file))])),
  };
}

// Loads a file, and returns the events that should not have happened.
async function happenings(page, files, name, hasPolicy) {
  const happened = [];
  const report = (what) => void happened.push(what);
  page.on("dialog", (dialog) => {
    report(`a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on("pageerror", (error) => report(`a script: ${error}`));
  page.on(
    "framenavigated",
    (frame) => frame.url() === `${ORIGIN}/${name}` || report(`a way to ${frame.url()}`),
  );
  await page.exposeFunction("ran", (what) => report(`ran: ${what}`));
  await page.exposeFunction("refused", (what) => report(`refused: ${what}`));
  await page.addInitScript(() =>
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      refused(`${violatedDirective} ${blockedURI}`),
    ),
  );
  await page.route("**/*", (route) => {
    const url = route.request().url();
    const asked = decodeURIComponent(url.replace(`${ORIGIN}/`, ""));
    const text = files[asked];
    // Markdown shows pictures, and authors may use them.
    const isShown =
      (asked.endsWith(".svg") && text) ||
      (name === "author.html" && route.request().resourceType() === "image");
    if (asked !== name && !isShown) report(`a request: ${url}`);
    if (!text) return route.fulfill({ status: 404, body: "" });
    const contentType = asked.endsWith(".svg") ? "image/svg+xml" : "text/html; charset=utf-8";
    return route.fulfill({
      contentType,
      body: hasPolicy ? text : text.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ""),
    });
  });
  await page.goto(`${ORIGIN}/${name}`);
  const found = await page.evaluate(() => {
    const found = [];
    for (const element of document.querySelectorAll("*")) {
      const tag = element.localName;
      if (
        /^(script|iframe|object|embed|form|input|base|link|frame|math|foreignObject|animate|set|use)$/i.test(
          tag,
        )
      )
        found.push(tag);
      if (tag === "meta" && /refresh/i.test(element.httpEquiv)) found.push("meta refresh");
      for (const { name, value } of element.attributes) {
        const address =
          /^(href|src|xlink:href|action|srcdoc|formaction)$/i.test(name) &&
          new URL(value, document.baseURI).protocol;
        if (/^on/i.test(name) || (address && !/^(https?|mailto):$/.test(address)))
          found.push(`${tag} ${name}=${value}`);
      }
      // Numbers stand below their headings.
      if (tag === "tr" && element.cells.length !== element.closest("table").rows[0].cells.length)
        found.push(element.outerHTML);
    }
    return found;
  });
  await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  return [...happened, ...found].join("\n");
}

for (const [number, name] of payloads.entries()) {
  test.describe(`${number}: ${name}`, () => {
    const files = {};
    test.beforeAll(() => void Object.assign(files, made(name)));

    for (const file of ["page.html", "author.html"]) {
      for (const hasPolicy of [true, false]) {
        test(`${file}, ${hasPolicy ? "with" : "without"} its policy`, async ({ page }) => {
          expect(files[file]).toContain(
            `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data: https:">`,
          );
          expect(await happenings(page, files, file, hasPolicy)).toBe("");
          const svgs = await page.locator("figure > svg").count();
          expect(svgs).toBeGreaterThan(file === "page.html" ? 10 : -1);
        });
      }
    }

    for (const file of ["markdown.html", "book.html"]) {
      test(file, async ({ page }) => {
        expect(await happenings(page, files, file, true)).toBe("");
        const shown = file === "book.html" ? name.replaceAll("{{", "{\u2060{") : name;
        expect(await page.locator("td, th").getByText(shown, { exact: true }).count()).toBeGreaterThan(5);
      });
    }

    test("pictures.html", async ({ page }) => {
      expect(await happenings(page, files, "pictures.html", true)).toBe("");
      const pictures = Object.entries(files)
        .filter(([file]) => file.endsWith(".svg"))
        .map(([, text]) => text);
      const isXml = (text) =>
        new DOMParser().parseFromString(text, "image/svg+xml").documentElement.localName === "svg";
      expect(
        await page.evaluate(
          `[${pictures.map((text) => JSON.stringify(text))}].filter((text) => !(${isXml})(text))`,
        ),
      ).toEqual([]);
      expect(await page.locator("svg").count()).toBe(pictures.length);
      expect(pictures.length).toBeGreaterThan(10);
    });
  });
}

test("what runs is seen", async ({ browser }) => {
  for (const html of payloads.filter((payload) => /^<(script|img|svg|details)/.test(payload))) {
    const page = await browser.newPage();
    const files = { "x.html": `<!DOCTYPE html><title>x</title><p>${html}` };
    expect(await happenings(page, files, "x.html", false), html).toContain("ran: ");
    await page.close();
  }
});
