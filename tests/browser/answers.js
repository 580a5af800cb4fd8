// Random questions, the same every time, and their charts, drawn by the program itself.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A generator of random numbers (mulberry32): the same questions in every run. */
function luck(seed) {
  const next = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end) => Math.floor(next() * end);
  const one = (list) => list[below(list.length)];
  return { below, one, some: (list, most) => list.filter(() => next() < most / list.length) };
}

const SQUADS = ["german:4-6-7", "german:5-4-8", "russian:4-4-7", "russian:5-2-7", "american:6-6-6", "british:4-5-7", "finnish:6-4-8", "italian:3-4-7"];
const LEADERS = ["german:8-0", "german:8-1", "german:9-1", "german:9-2", "german:10-2", "german:7-0"];
const GERMANS = SQUADS.slice(0, 2);

const COMPARISON = `question = "rally"
about = "Führt der Leutnant – oder hält die Gruppe es für naïve Träumerei, élan à la française zu zeigen?"
objective = "good-order"
[base]
stack = "german:4-6-7/dm"
[[course]]
name = "Óscar führt aus dem Gebäude"
leader = "german:9-1"
[[course]]
name = "ohne Führung, in einem außerordentlich langen Namen"
`;

const STUDY = (kind, fields) => `question = "rally"
tell = "holds"
[base]
stack = "german:4-6-7/dm"
[grid]
${fields}
[chart]
${kind ? `kind = "${kind}"` : ""}
`;

const CHOICES = `question = "campaign"
objective = "good-order"
tell = "choice"
[base]
unit = "german:4-6-7/broken,dm"
open = 3
turns = 3
[grid]
leader = ["none", "german:8-1"]
interdicted = [0, 1, 2, 3]
fp = [1, 4, 8, 16, 36]
`;

/** What the corners of charts are: no odds and all of them, one bar and forty, every kind. */
const CORNERS = [
  ["check", "german:4-6-7", "--mc", "0", "--no-hob"],
  ["check", "german:10-3", "--mc", "0"],
  ["rally", "german:4-6-7/dm", "--phases", "40"],
  ["rally", "german:4-6-7/dm", "--phases", "1..40"],
  ["rally", "german:4-6-7/dm", "--phases", "1..12", "--leader", `none,${LEADERS}`],
  ["rally", "german:4-6-7/dm", "--phases", "1..12", "--leader", `none,${LEADERS}`, "--chart-kind", "curve"],
  ["check", "8x german:4-6-7", "--mc", "1", "--counts"],
  ["check", "3x german:4-6-7 + german:9-1", "--mc", "2", "--joint"],
  ["compare", "comparison.toml"],
  ["compare", "comparison.toml", "--chart-kind", "bars"],
  ["study", "run", "choices.toml"],
  ["study", "run", "heat.toml"],
  ["study", "run", "curve.toml"],
  ["study", "run", "bars.toml"],
];

/** A random question of a stack. */
function question({ below, one, some }) {
  const several = (broken) => {
    const stack = some(LEADERS, 1.2).slice(0, 2).map((leader) => leader + (below(2) ? "" : broken));
    return [...stack, `${1 + below(4)}x ${one(GERMANS)}${broken}`].join(" + ");
  };
  const flags = [...(below(2) ? ["--no-hob"] : []), ...(below(4) ? [] : ["--counts"])];
  switch (below(6)) {
    case 0: return ["check", several(""), "--mc", `${below(4)}`, ...flags];
    case 1: return ["fire", several(""), "--fp", `${one([1, 4, 8, 16, 36])}`, "--drm", `${below(4)}`, ...flags];
    case 2: return ["rally", `${one(SQUADS)}/dm`, "--phases", `${1 + below(12)}`, ...flags];
    case 3: return ["rally", several("/dm"), "--phases", `${1 + below(2)}`, "--trials", "50000", ...flags];
    case 4: return ["check", one(SQUADS), "--mc", `0..${1 + below(3)}`];
    default: return ["rally", `${one(GERMANS)}/dm`, "--leader", `none,${one(LEADERS)}`, "--terrain", "open,woods,stone", "--phases", `1..${2 + below(5)}`];
  }
}

/** So many charts, each with the command that drew it. */
export function charts(count) {
  const program = process.env.LOWCRAWL_BINARY;
  if (!program) throw new Error("LOWCRAWL_BINARY names the program");
  const folder = mkdtempSync(join(tmpdir(), "lowcrawl-charts-"));
  const swept = `phases = "1..6"\nleader = ["none", "german:8-1", "german:10-2"]\nterrain = ["open", "woods"]`;
  writeFileSync(join(folder, "comparison.toml"), COMPARISON);
  writeFileSync(join(folder, "choices.toml"), CHOICES);
  for (const kind of ["heat", "curve", "bars"]) writeFileSync(join(folder, `${kind}.toml`), STUDY(kind, swept));
  const random = luck(36);
  const asked = [...CORNERS];
  while (asked.length < count) asked.push(question(random));
  return asked.map((words) => {
    execFileSync(program, [...words, "--chart", "chart.svg"], { cwd: folder, stdio: "pipe" });
    return { name: words.join(" "), svg: readFileSync(join(folder, "chart.svg"), "utf8") };
  });
}
