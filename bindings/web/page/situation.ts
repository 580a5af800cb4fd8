// The map and the units of a situation, and their changes. The engine knows the meaning of the
// words.

type Hexes = string | string[];
type Keyed = Record<string, Hexes>;

/** The content of the map; a list of hexes is named by the feature in them. */
export interface Ground {
  area?: string;
  hexes?: Keyed;
  hexsides?: Keyed;
  levels?: Keyed;
  roads?: string[][];
  building?: { hexes: Hexes; type?: string; stairways?: Hexes }[];
  [what: string]: unknown;
}

/** A unit in a hex, with its other fields. */
export interface Placed {
  unit?: string;
  at?: Hexes;
  [field: string]: unknown;
}

/** The lists of units, each with its label. */
export const GROUPS = { rout: "routs", friend: "friend", enemy: "enemy" } as const;
export type Group = keyof typeof GROUPS;
export const groups = Object.keys(GROUPS) as Group[];

export type Fields = Record<string, unknown>;

export const listed = (hexes: Hexes | undefined): string[] =>
  hexes === undefined ? [] : Array.isArray(hexes) ? hexes : [hexes];

/** The map of a situation, created if it is missing. */
export const groundOf = (fields: Fields): Ground => (fields.map ??= {}) as Ground;

/** The units of a list; one entry is one counter. */
export const unitsOf = (fields: Fields, group: Group): Placed[] =>
  Array.isArray(fields[group]) ? (fields[group] as Placed[]) : [];

/** Whether the situation has a map. */
export const hasMap = (fields: Fields): boolean =>
  fields.board !== undefined || Object.keys((fields.map as Ground | undefined) ?? {}).length > 0;

/** The names of hexes on the map; also finds variants (`k5`, without its board, with a level). */
export class Names {
  private readonly known: Map<string, string>;
  constructor(names: string[]) {
    this.known = new Map(names.map((name) => [name.toUpperCase(), name]));
    // A name without its board is valid if only one board has such a hex.
    const own = new Map<string, string | null>();
    for (const name of names) {
      const short = /[A-Z]+\d+$/.exec(name)?.[0];
      if (short && short !== name) own.set(short, own.has(short) ? null : name);
    }
    for (const [short, name] of own) if (name && !this.known.has(short)) this.known.set(short, name);
  }
  of(written: string): string | undefined {
    return this.known.get(written.trim().split(/\s+/)[0]!.toUpperCase());
  }
  all(): string[] {
    return [...new Set(this.known.values())];
  }
  same(a: string, b: string): boolean {
    return (this.of(a) ?? a) === (this.of(b) ?? b);
  }
}

/** Deletes empty lists and tables. */
function tidy(ground: Ground): void {
  for (const [what, value] of Object.entries(ground)) {
    if (Array.isArray(value)) {
      if (!value.length) delete ground[what];
    } else if (value !== null && typeof value === "object") {
      for (const [key, hexes] of Object.entries(value))
        if (Array.isArray(hexes) && !hexes.length) delete (value as Keyed)[key];
      if (!Object.keys(value).length) delete ground[what];
    }
  }
}

/** Moves a hex to one key of a table, and removes it from the others. */
function sort(
  ground: Ground,
  what: "hexes" | "levels" | "hexsides",
  key: string | null,
  isIt: (name: string) => boolean,
  name: string,
): void {
  const table = (ground[what] ??= {});
  for (const [other, hexes] of Object.entries(table))
    table[other] = listed(hexes).filter((one) => !isIt(one));
  if (key !== null) table[key] = [...listed(table[key]), name];
  tidy(ground);
}

/** Gives a hex this terrain; without any it returns to its default. */
export function paint(ground: Ground, names: Names, hex: string, terrain: string | null): void {
  unbuild(ground, names, hex);
  sort(ground, "hexes", terrain, (one) => names.same(one, hex), hex);
}

/** Sets the level of a hex; level 0 is the ground. */
export const raise = (ground: Ground, names: Names, hex: string, level: number): void =>
  sort(ground, "levels", level ? String(level) : null, (one) => names.same(one, hex), hex);

/** Puts a building on these hexes, or extends a building that already has one of them. */
export function build(ground: Ground, names: Names, hexes: string[], type: string): void {
  const all = (ground.building ??= []);
  const old = all.find((building) =>
    listed(building.hexes).some((one) => hexes.some((hex) => names.same(one, hex))),
  );
  if (old && hexes.length > 1)
    old.hexes = [
      ...listed(old.hexes),
      ...hexes.filter((hex) => !listed(old.hexes).some((one) => names.same(one, hex))),
    ];
  else {
    hexes.forEach((hex) => unbuild(ground, names, hex));
    (ground.building ??= []).push({ hexes, type });
  }
}

function unbuild(ground: Ground, names: Names, hex: string): void {
  for (const building of ground.building ?? []) {
    building.hexes = listed(building.hexes).filter((one) => !names.same(one, hex));
    const stairways = listed(building.stairways).filter((one) => !names.same(one, hex));
    if (stairways.length) building.stairways = stairways;
    else delete building.stairways;
  }
  if (ground.building) ground.building = ground.building.filter(({ hexes }) => hexes.length > 0);
  tidy(ground);
}

/** Gives the side between two hexes this terrain, or removes it if it is there. */
export function border(ground: Ground, names: Names, a: string, b: string, kind: string): void {
  const isIt = (name: string) => {
    const [from = "", to = ""] = name.split("-");
    return (names.same(from, a) && names.same(to, b)) || (names.same(from, b) && names.same(to, a));
  };
  const has = listed(ground.hexsides?.[kind]).some(isIt);
  sort(ground, "hexsides", has ? null : kind, isIt, `${a}-${b}`);
}

/** Adds a road from hex to hex, or extends a road that ends in the first hex. */
export function pave(ground: Ground, names: Names, way: string[]): void {
  if (way.length < 2) return;
  const roads = (ground.roads ??= []);
  const old = roads.find((road) => names.same(road.at(-1)!, way[0]!));
  if (old) old.push(...way.slice(1));
  else roads.push(way);
}

/** Puts a feature into a hex, or removes it if it is there. */
export function lay(ground: Ground, names: Names, hex: string, what: string): void {
  const before = listed(ground[what] as Hexes | undefined);
  const others = before.filter((one) => !names.same(one, hex));
  ground[what] = others.length < before.length ? others : [...others, hex];
  tidy(ground);
}

/** Clears a hex and its sides. */
export function clear(
  ground: Ground,
  names: Names,
  hex: string,
  open: string | null,
  features: string[],
): void {
  paint(ground, names, hex, open);
  raise(ground, names, hex, 0);
  for (const [kind, sides] of Object.entries(ground.hexsides ?? {}))
    ground.hexsides![kind] = listed(sides).filter(
      (side) => !side.split("-").some((one) => names.same(one, hex)),
    );
  // A road through the hex is split into the parts before and behind it.
  const parts = (road: string[]) =>
    road.reduce<string[][]>(
      (ways, one) => (names.same(one, hex) ? [...ways, []] : [...ways.slice(0, -1), [...ways.at(-1)!, one]]),
      [[]],
    );
  if (ground.roads) ground.roads = ground.roads.flatMap(parts).filter((way) => way.length > 1);
  for (const what of features)
    if (ground[what] !== undefined)
      ground[what] = listed(ground[what] as Hexes).filter((one) => !names.same(one, hex));
  tidy(ground);
}

/** Gives each counter an entry of its own, so that it can be moved by itself. */
export function singled(fields: Fields): void {
  for (const group of groups) {
    const all = unitsOf(fields, group);
    if (all.some(({ at }) => Array.isArray(at)))
      fields[group] = all.flatMap((one) =>
        Array.isArray(one.at) ? one.at.map((at) => ({ ...one, at })) : [one],
      );
  }
}
