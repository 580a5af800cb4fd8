// Loads the engine of a page that a server sends.
import Carried from "./worker?worker";
import address from "../engine/lowcrawl_web_bg.wasm?url";

export const worker = (): Worker => new Carried();
/** The module, compiled while it arrives where the host names its type. */
export const module = async (): Promise<WebAssembly.Module> => {
  const answer = await fetch(address);
  return answer.headers.get("content-type") === "application/wasm"
    ? WebAssembly.compileStreaming(answer)
    : WebAssembly.compile(await answer.arrayBuffer());
};
export const isServed = true;
