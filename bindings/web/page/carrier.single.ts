// Loads the engine of a page in one file, which contains it compressed.
import Carried from "./worker?worker&inline";
import packed from "../engine/module.gz?url&inline";

export const worker = (): Worker => new Carried();
export async function module(): Promise<WebAssembly.Module> {
  const bytes = Uint8Array.from(atob(packed.slice(packed.indexOf(",") + 1)), (letter) =>
    letter.charCodeAt(0),
  );
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compile(await new Response(unpacked).arrayBuffer());
}
export const isServed = false;
