// Data stored on the device: recent questions, the notation of numbers, and each tab's draft.
// A browser that stores nothing causes no error.

export interface Kept {
  line: string;
  about: string;
}

const RECENT = "lowcrawl.recent";
const NUMBERS = "lowcrawl.numbers";
const DRAFT = "lowcrawl.draft";
const MOST = 12;

function stored(key: string, storage = () => localStorage): string | null {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, text: string | null, storage = () => localStorage): void {
  try {
    if (text === null) storage().removeItem(key);
    else storage().setItem(key, text);
  } catch {
    // The browser refuses to store; the page works without it.
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

export function recent(): Kept[] {
  const kept = parse(stored(RECENT));
  return Array.isArray(kept)
    ? kept
        .filter((one): one is Kept => typeof one?.line === "string" && typeof one?.about === "string")
        .slice(0, MOST)
    : [];
}

export const keep = (one: Kept): void =>
  store(RECENT, JSON.stringify([one, ...recent().filter(({ line }) => line !== one.line)].slice(0, MOST)));
export const clear = (): void => store(RECENT, null);

export const german = (): boolean =>
  (stored(NUMBERS) ?? (/^de\b/.test(navigator.language) ? "german" : "")) === "german";
export const keepGerman = (wanted: boolean): void => store(NUMBERS, wanted ? "german" : "english");

/** The request on screen, stored for a reload of this tab. */
export const draft = (): Record<string, unknown> | null => {
  const kept = parse(stored(DRAFT, () => sessionStorage));
  return kept !== null && typeof kept === "object" ? (kept as Record<string, unknown>) : null;
};
export const keepDraft = (request: string): void => store(DRAFT, request, () => sessionStorage);
