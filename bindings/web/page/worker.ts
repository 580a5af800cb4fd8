// The engine in a thread of its own; it receives the compiled module, then one call after another.
import { ask, describe, file, follow, initSync, lay, situation } from "../engine/lowcrawl_web.js";

export interface Call {
  number: number;
  call: "ask" | keyof typeof others;
  text: string;
  all: boolean;
  width: number;
}

const others = { describe: () => describe(), file, follow, lay, situation };

let now = 0;
let told = 0;

(self as unknown as { lowcrawlProgress: unknown }).lowcrawlProgress = (
  done: number,
  expected: number | undefined,
) => {
  // Progress is reported at most every 50 ms, as often as a page can show it.
  const time = performance.now();
  if (time - told < 50) return;
  told = time;
  postMessage({ number: now, done, expected: expected ?? null });
};

self.onmessage = ({ data }: MessageEvent<Call | { module: WebAssembly.Module }>) => {
  if ("module" in data) {
    initSync({ module: data.module });
    return;
  }
  now = data.number;
  told = performance.now();
  try {
    const text = data.call === "ask" ? ask(data.text, data.all, data.width) : others[data.call](data.text);
    postMessage({ number: data.number, text });
  } catch (error) {
    postMessage({ number: data.number, failed: String(error) });
  }
};
