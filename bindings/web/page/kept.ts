// Data stored on the device: recent questions, the notation of numbers, and each tab's draft.
// A browser that stores nothing causes no error.

import type { Value } from "./types";

export interface Kept {
  line: string;
  about: string;
}

const RECENT = "lowcrawl.recent";
const NUMBERS = "lowcrawl.numbers";
const DRAFT = "lowcrawl.draft";
const SETTINGS = "lowcrawl.settings";
const UNITS = "lowcrawl.units";
const MOST = 12;
const MOST_UNITS = 6;

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
  (stored(NUMBERS) ?? (Intl.NumberFormat().format(1.5) === "1,5" ? "german" : "")) === "german";
export const keepGerman = (wanted: boolean): void => store(NUMBERS, wanted ? "german" : "english");

/** The request on screen, stored for a reload of this tab. */
export const draft = (): Record<string, unknown> | null => {
  const kept = parse(stored(DRAFT, () => sessionStorage));
  return kept !== null && typeof kept === "object" ? (kept as Record<string, unknown>) : null;
};
export const keepDraft = (request: string): void => store(DRAFT, request, () => sessionStorage);

export type Settings = Record<string, Record<string, Value>>;

/** The settings of each game that hold for every question about it. */
export const settings = (): Settings => {
  const kept = parse(stored(SETTINGS));
  if (kept === null || typeof kept !== "object") return {};
  return Object.fromEntries(
    Object.entries(kept).map(([game, fields]) => [
      game,
      Object.fromEntries(
        Object.entries(Object(fields) as Record<string, unknown>).filter(
          (entry): entry is [string, Value] =>
            typeof entry[1] === "string" || (typeof entry[1] === "number" && Number.isFinite(entry[1])),
        ),
      ),
    ]),
  );
};
export const keepSettings = (settings: Settings): void => store(SETTINGS, JSON.stringify(settings));

/** The units that were taken last and those with a star, as written, and the side chosen last. */
export interface KeptUnits {
  recent: string[];
  starred: string[];
  side: string;
}
export const units = (): KeptUnits => {
  const kept = Object(parse(stored(UNITS))) as Record<string, unknown>;
  const list = (all: unknown) =>
    Array.isArray(all) ? all.filter((one): one is string => typeof one === "string") : [];
  return {
    recent: list(kept.recent).slice(0, MOST_UNITS),
    starred: list(kept.starred),
    side: typeof kept.side === "string" ? kept.side : "",
  };
};
export const keepUnits = (units: KeptUnits): void => store(UNITS, JSON.stringify(units));
