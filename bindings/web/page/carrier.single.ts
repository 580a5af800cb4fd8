// How the engine comes to a page that is one file: it is in it.
import Carried from "./worker?worker&inline";
import address from "../engine/lowcrawl_web_bg.wasm?url&inline";

export const worker = (): Worker => new Carried();
export const module = (): Promise<WebAssembly.Module> =>
  WebAssembly.compile(Uint8Array.from(atob(address.slice(address.indexOf(",") + 1)), (letter) => letter.charCodeAt(0)));
export const isServed = false;
