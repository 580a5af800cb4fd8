import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const dist = here("dist");

/** The module is passed to the worker, so its glue need not locate it. */
const glue: Plugin = {
  name: "glue",
  enforce: "pre",
  transform: (code, id) =>
    id.endsWith("lowcrawl_web.js")
      ? code.replace(/new URL\('[^']*', import\.meta\.url\)/, "undefined")
      : null,
};

/** The service worker lists every file and has one version for all of them. */
const offline: Plugin = {
  name: "offline",
  closeBundle() {
    const files = readdirSync(dist, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !["sw.js", "lowcrawl.html"].includes(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
      .sort();
    const sum = createHash("sha256");
    for (const file of files) sum.update(file).update(readFileSync(join(dist, file)));
    const worker = readFileSync(join(dist, "sw.js"), "utf8")
      .replace("VERSION", sum.digest("hex").slice(0, 16))
      .replace('["FILES"]', JSON.stringify(["./", ...files]));
    writeFileSync(join(dist, "sw.js"), worker);
  },
};

/** Puts everything into one file, whose script is allowed by its hash. */
const single: Plugin = {
  name: "single",
  enforce: "post",
  generateBundle(_, bundle) {
    const page = bundle["index.html"];
    if (page?.type !== "asset") return;
    let html = String(page.source);
    let script = "";
    for (const [name, file] of Object.entries(bundle)) {
      if (file.type === "chunk") script += file.code;
      else if (name.endsWith(".css"))
        html = html.replace("</head>", () => `<style>${file.source}</style></head>`);
      if (name !== "index.html") delete bundle[name];
    }
    script = script.replaceAll("</script", "<\\/script");
    const hash = createHash("sha256").update(script).digest("base64");
    html = html
      .replace(/<script[^>]*><\/script>|<link[^>]*>/g, "")
      .replace(
        /(http-equiv="Content-Security-Policy" content=")[^"]*/,
        `$1default-src 'none'; script-src 'sha256-${hash}' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; img-src blob:`,
      )
      .replace("</body>", () => `<script type="module">${script}</script></body>`);
    delete bundle["index.html"];
    this.emitFile({ type: "asset", fileName: "lowcrawl.html", source: html });
  },
};

export default defineConfig(({ mode }) => ({
  root: here("page"),
  publicDir: mode === "single" ? false : here("public"),
  base: "./",
  plugins: mode === "single" ? [glue, single] : [glue, offline],
  worker: { format: "iife", plugins: () => [glue] },
  resolve: { alias: { "#carrier": here(mode === "single" ? "page/carrier.single.ts" : "page/carrier.ts") } },
  build: {
    outDir: dist,
    emptyOutDir: mode !== "single",
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
  },
}));
