// Loads the engine of a page that a server sends.
import Carried from "./worker?worker";
import address from "../engine/lowcrawl_web_bg.wasm?url";

export const worker = (): Worker => new Carried();
export const module = (): Promise<WebAssembly.Module> =>
  fetch(address)
    .then((answer) => answer.arrayBuffer())
    .then((bytes) => WebAssembly.compile(bytes));
export const isServed = true;
