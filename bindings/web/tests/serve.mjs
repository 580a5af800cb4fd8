// Serves the page in a subfolder, as a static host does.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const dist = fileURLToPath(new URL("../dist", import.meta.url));
const types = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

createServer(async ({ url }, answer) => {
  const path =
    normalize(decodeURIComponent(new URL(url, "http://localhost").pathname)).replace(/^\/sub\//, "") ||
    "index.html";
  try {
    const bytes = await readFile(join(dist, path));
    answer
      .writeHead(200, {
        "content-type": types[extname(path)] ?? "application/octet-stream",
        "cache-control": "no-store",
      })
      .end(bytes);
  } catch {
    answer.writeHead(404).end();
  }
}).listen(4173);
