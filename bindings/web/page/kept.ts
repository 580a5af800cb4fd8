// What the device keeps: recent questions and how numbers are written. A browser that keeps nothing is no reason to fail.

export interface Kept {
  line: string;
  about: string;
}

const RECENT = "lowcrawl.recent";
const NUMBERS = "lowcrawl.numbers";
const MOST = 12;

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Nothing is kept, then.
  }
}

export function recent(): Kept[] {
  try {
    const kept: unknown = JSON.parse(stored(RECENT) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one): one is Kept => typeof one?.line === "string" && typeof one?.about === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export const keep = (one: Kept): void =>
  store(RECENT, JSON.stringify([one, ...recent().filter(({ line }) => line !== one.line)].slice(0, MOST)));
export const clear = (): void => store(RECENT, null);

export const german = (): boolean => (stored(NUMBERS) ?? (/^de\b/.test(navigator.language) ? "german" : "")) === "german";
export const keepGerman = (wanted: boolean): void => store(NUMBERS, wanted ? "german" : "english");
