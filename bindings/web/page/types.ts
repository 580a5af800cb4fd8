// The declarations and answers of the engine, as far as the page reads them.

export type Value = string | number | boolean | Value[] | { [name: string]: Value };

export interface Takes {
  type: "flag" | "number" | "word" | "text" | "numbers" | "list" | "table" | "any";
  of?: Takes;
  keys?: Takes;
  from?: number;
  to?: number;
  called?: string;
  words?: string[];
}

export interface Field {
  name: string;
  negation: string | null;
  takes: Takes;
  default: string | null;
  about: string;
  rule: string | null;
  /** Hints for forms; the description of a negation is in `brief`. */
  label?: string;
  brief?: string;
  initial?: string;
  common?: string[];
  role?: "stack" | "leader" | "firers" | "dice" | "setting" | "periods" | "circumstance";
  replaces?: string[];
}

export interface Kind {
  name: string;
  about: string;
  subject?: string | null;
  choices?: "none" | "policy" | "best";
  policies?: { name: string; about: string }[];
  fields: Field[];
  steps?: { do: string; fields: Field[] }[];
  untold?: string[];
  help?: string;
  classes?: { name: string }[];
  /** Hints for a list of kinds; `icon` is the path of a drawing, 24 units wide. */
  label?: string;
  brief?: string;
  icon?: string;
  place?: number;
  /**
   * For a kind with a map: the tables of a situation, the further fields of each request, and
   * terrain.
   */
  tables?: { path: string; fields: Field[] }[];
  requests?: Record<string, string[]>;
  terrain?: string[];
}

export interface Unit {
  unit: string;
  written: string;
  side: string;
  name: string;
  about: string;
}

export interface System {
  name: string;
  about: string;
  kinds: Kind[];
  measures: { name: string; of_one: string; range: [number, number] }[];
  units: Unit[];
  first_units: string[];
  conditions: string[];
  weapons: { side: string; name: string }[];
}

export interface Description {
  version: string;
  requests: Record<string, Field[]>;
  systems: System[];
}

export interface Fault {
  message: string;
  span?: [number, number];
  near?: string[];
  help?: string | null;
}

export interface Hoped {
  slot: number;
  unit: string;
  hoped: string;
  probability: number;
  /** On a map, the plan. */
  plan?: string;
  ci_low: number | null;
  ci_high: number | null;
  fraction: string | null;
  /** The largest error of `probability` if it is certified, else null. */
  error_bound: number | null;
}

/** A unit on a map, with the chance of its best plan. */
export interface Routed {
  unit: string;
  plan: string | null;
  survives: number | null;
}

export type Piece =
  | { text: string; indent: number; answer: boolean }
  | { gap: true }
  | { table: { headings: string[]; rows: string[][]; right: boolean[] } }
  | { drawn: string };

export interface Line {
  rule?: string | null;
  roll?: string;
  rolled?: string;
  read?: number;
  faces?: number;
  event?: string;
  at?: string;
  noted?: { unit: string | null; slot: number | null; status: string; counter: string | null }[];
}

/** A drawn map, with the middle of each hex on it. */
export interface Drawn {
  svg: string;
  hexes: [string, number, number][];
}

export interface Answer {
  fault?: Fault;
  meta?: { question: string; command: string; engine: string | null };
  /** The chances of success after each report point, by slot. */
  curves?: Record<string, number[]>;
  counts?: { class: string; number: number; at_least: number; phase?: number; step?: number }[];
  headline?: unknown;
  screen?: Piece[];
  charts?: { kind: string; label: string; svg: string }[];
  markdown?: string | null;
  notes?: string[];
  lines?: Line[];
  picture?: string;
  map?: Drawn;
  link?: string | null;
  request?: Record<string, unknown>;
}
