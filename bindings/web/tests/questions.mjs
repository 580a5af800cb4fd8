// Random questions of every system, built from the engine's declarations.

/** A small generator with a seed: every run has the same questions. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const UNITS = ["STACK", "LEADER", "UNITS", "UNIT"];

export function questions(description, name, number, seed) {
  const roll = random(seed);
  const one = (list) => list[Math.floor(roll() * list.length)];
  const system = description.systems.find((system) => system.name === name);
  const words = system.conditions.filter((condition) => !condition.includes("="));
  const sides = [...new Set(system.units.map(({ side }) => side))];
  let ours = system.units;
  const unit = () => one(ours).written + (roll() < 0.3 ? `/${one(words)}` : "");
  const value = (field) => {
    const { takes } = field;
    if (takes.type === "flag") return field.default !== "true";
    if (takes.type === "word") return one(takes.words);
    if (takes.type === "number") {
      const from = takes.from ?? 0;
      // Numbers stay small, because the test compares answers and not sizes.
      return from + Math.floor(roll() * (Math.min(takes.to ?? from + 6, from + 6) - from + 1));
    }
    if (takes.called === "LEADER" || takes.called === "UNIT") return unit();
    if (UNITS.includes(takes.called))
      return Array.from({ length: 1 + Math.floor(roll() * 2) }, unit).join(" + ");
    return undefined;
  };
  const kinds = system.kinds.filter(({ subject, tables, steps }) => !tables && (subject || steps?.length));
  const some = (fields, subject) => {
    const said = {};
    for (const field of fields) {
      const told =
        field.name === subject ||
        roll() < (field.default === null && field.takes.type === "number" ? 0.6 : 0.15)
          ? value(field)
          : undefined;
      if (told !== undefined) said[field.name] = told;
    }
    // An attack has named firers and their circumstances, or FP and what belongs to it.
    const by = fields.findIndex(({ takes }) => takes.called === "FIRERS");
    if (by >= 0 && roll() < 0.5) {
      for (const name of ["fp", "cowering", "inexperienced"]) delete said[name];
      said.by = unit();
    } else if (by >= 0) {
      const last = fields.findIndex(({ name }) => name === "mol");
      for (const { name } of fields.slice(by, last + 1)) delete said[name];
    }
    return said;
  };
  return Array.from({ length: number }, () => {
    const kind = one(kinds);
    const side = one(sides);
    // A stack is mostly of one side.
    ours = roll() < 0.9 ? system.units.filter((unit) => unit.side === side) : system.units;
    const request = { system: name, kind: kind.name, ...some(kind.fields, kind.subject) };
    if (kind.steps?.length) {
      const units = system.kinds
        .flatMap(({ fields }) => fields)
        .find(({ takes }) => ["STACK", "UNITS"].includes(takes.called));
      request[units.name] = value(units);
      request.step = Array.from({ length: 1 + Math.floor(roll() * 2) }, () => {
        const step = one(kind.steps);
        return { do: step.do, ...some(step.fields) };
      });
    }
    if (kind.choices === "best") {
      for (const field of ["policy", "turns"]) delete request[field];
      Object.assign(request, { request: "solve", objective: one(system.measures).name });
      if (kind.fields.some((field) => field.name === "turns")) request.turns = 1 + Math.floor(roll() * 2);
      return JSON.stringify(request);
    }
    // Some requests are simulated.
    request.options =
      roll() < 0.15 ? { engine: "monte-carlo", trials: 2000, seed: Math.floor(roll() * 1000) } : undefined;
    return JSON.stringify(request);
  });
}

/** Random maps with routing units, built from the declarations of a situation. */
export function routs(description, number, seed) {
  const roll = random(seed);
  const one = (list) => list[Math.floor(roll() * list.length)];
  const { units, kinds } = description.systems[0];
  const { terrain } = kinds.find(({ tables }) => tables);
  const hex = () => one("ABCDEF") + (1 + Math.floor(roll() * 6));
  const some = (most, make) => Array.from({ length: Math.floor(roll() * (most + 1)) }, make);
  const squads = units.filter(({ name }) => /^\d-\d-\d$/.test(name));
  return Array.from({ length: number }, () => {
    const side = one(squads).side;
    const ours = squads.filter((unit) => unit.side === side);
    const hexes = {};
    for (const place of new Set(some(9, hex))) (hexes[one(terrain)] ??= []).push(place);
    return JSON.stringify({
      kind: "rout",
      map: {
        area: "A1-F6",
        hexes,
        ...(roll() < 0.3 ? { hexsides: { wall: ["C3-C4"] } } : {}),
        ...(roll() < 0.3 ? { smoke: [hex()] } : {}),
      },
      rout: [
        { unit: `${one(ours).written}/broken${roll() < 0.7 ? ",dm" : ""}`, at: hex() },
        ...some(1, () => ({ unit: `${one(ours).written}/broken`, at: hex() })),
      ],
      enemy: some(3, () => ({
        unit: one(squads.filter((unit) => unit.side !== side)).written,
        at: hex(),
        ...(roll() < 0.2 ? { concealed: true } : {}),
      })),
      ...(roll() < 0.2 ? { turns: 1 } : {}),
    });
  });
}

/** The first difference of two answers; numbers may differ by the last digits of a double. */
export function difference(one, other, path = "") {
  if (typeof one === "number" && typeof other === "number") {
    return Math.abs(one - other) <= 1e-15 * Math.max(1, Math.abs(one))
      ? null
      : `${path}: ${one} and ${other}`;
  }
  if (one === null || other === null || typeof one !== "object" || typeof other !== "object") {
    return one === other ? null : `${path}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`;
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = difference(one[key], other[key], `${path}/${key}`);
    if (found) return found;
  }
  return null;
}
