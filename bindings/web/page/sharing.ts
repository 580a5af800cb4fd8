// Exchange with other programs: files and pictures.
import { beside } from "./aside";
import { h } from "./dom";
import type { Value } from "./types";

/** The size of the largest file that is opened, in bytes. */
const MOST_FILE = 256 << 10;
/** The keys of a board that name tables. */
const TABLES = ["hexes", "los"];

export function download(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  h("a", { href: address, download: name }).click();
  window.setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Copies a picture to the clipboard, or else saves it as a file. */
export async function copyPicture(svg: string, say: (text: string) => void): Promise<void> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = h("canvas", { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
    const context = canvas.getContext("2d")!;
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new Error("no picture");
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      say("Copied.");
    } catch {
      download("lowcrawl.png", blob);
      say("Saved as a file: this browser does not let pages copy pictures.");
    }
  } catch {
    download("lowcrawl.svg", new Blob([svg], { type: "image/svg+xml" }));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Reads the request from files: a question, or a situation with the tables that it names. */
export async function open(files: File[]): Promise<{ text: string; name: string } | { refused: string }> {
  const large = files.find(({ size }) => size > MOST_FILE);
  if (large) return { refused: `${large.name} is too big: a question has at most ${MOST_FILE >> 10} KiB.` };
  const file = files.find(({ name }) => !name.endsWith(".csv")) ?? files[0];
  if (!file) return { refused: "No file was chosen." };
  const { name } = file;
  if (!name.endsWith(".toml")) return { text: await file.text(), name };
  const tables = new Map(
    await Promise.all(files.map(async (table) => [table.name, await table.text()] as const)),
  );
  const request = await beside.situation(await file.text());
  const boards = [request.board ?? []].flat() as Record<string, Value>[];
  for (const board of boards)
    for (const table of TABLES) {
      const known = tables.get(String(board[table]).split("/").at(-1)!);
      if (known !== undefined) board[table] = known;
    }
  return { text: JSON.stringify(request), name };
}
