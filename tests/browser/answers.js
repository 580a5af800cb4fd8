// Pictures of answers: 300 random charts, every shipped rout, and boards, from a fixed seed.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const ROOT = path.join(__dirname, "..", "..");

let state = 20_261_121n;
function below(end) {
  state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
  return Number((state >> 33n) % BigInt(end));
}
const one = (list) => list[below(list.length)];
const some = (list) => list.filter(() => below(2) === 0);

function lowcrawl(folder, args) {
  try {
    execFileSync(process.env.LOWCRAWL, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    return null;
  } catch (error) {
    return String(error.stderr);
  }
}

function picture(folder, args) {
  const file = path.join(folder, "x.svg");
  fs.rmSync(file, { force: true });
  const fault = lowcrawl(folder, [...args, "--chart", "x.svg"]);
  if (fault) throw new Error(`${args.join(" ")}\n${fault}`);
  return { name: args.join(" "), svg: fs.readFileSync(file, "utf8") };
}

const SQUADS = [
  "german:4-6-7",
  "american:6-6-6",
  "russian:4-4-7",
  "british:4-5-8",
  "finnish:6-4-8",
  "italian:3-4-6",
];
const LEADERS = [
  "german:6+1",
  "german:7-0",
  "german:8-0",
  "german:8-1",
  "german:9-1",
  "german:9-2",
  "german:10-2",
];
const TERRAINS = ["open", "woods", "building", "pillbox", "trench"];
const HOPES = ["holds", "breaks", "lost"];
const NAMES = [
  "Écrasés à l'orée",
  "Übermut tut selten gut",
  '<a> & "b"',
  "iii",
  "W",
  "run",
  "a course whose name is so long that nobody could say it in one breath, nor print it in one line",
];

function courses(folder) {
  const names = [...new Set(Array.from({ length: 2 + below(4) }, () => one(NAMES)))];
  while (names.length < 2) names.push("another");
  const course = (name) =>
    `[[course]]\nname = ${JSON.stringify(name)}\nleader = "${one(LEADERS)}"\nterrain = "${one(TERRAINS)}"\n`;
  const base = `question = "rally"\nobjective = "good-order"\n[base]\nstack = "${one(SQUADS)}/dm"\nphases = ${1 + below(6)}\n`;
  fs.writeFileSync(path.join(folder, "courses.toml"), base + names.map(course).join("\n"));
  return ["compare", "courses.toml"];
}

function study(folder, number) {
  const leaders = JSON.stringify(LEADERS.slice(0, 1 + below(LEADERS.length)));
  const terrain = below(2) ? `terrain = ${JSON.stringify(TERRAINS.slice(0, 1 + below(5)))}\n` : "";
  const text =
    `question = "rally"\ntell = "${one(HOPES)}"\n[base]\nstack = "${one(SQUADS)}/dm"\n[grid]\n` +
    `phases = "1..${1 + below(6)}"\nleader = ${leaders}\n${terrain}`;
  fs.writeFileSync(path.join(folder, `study-${number}.toml`), text);
  return ["study", "run", `study-${number}.toml`, "--replace"];
}

function campaigns(folder, number) {
  const leader = below(2) ? `leader = ${JSON.stringify(["none", ...LEADERS.slice(2, 3 + below(4))])}\n` : "";
  const text =
    `question = "campaign"\nobjective = "${one(["good-order", "survives", "squad-equivalents", "cvp"])}"\ntell = "${one(["choice", "choice", "margin"])}"\n` +
    `[base]\nunit = "${one(SQUADS)}/broken,dm"\nopen = 4\nturns = ${1 + below(3)}\n[grid]\nfp = "1..${2 + below(16)}"\ninterdicted = "0..${1 + below(4)}"\n${leader}`;
  fs.writeFileSync(path.join(folder, `campaigns-${number}.toml`), text);
  return ["study", "run", `campaigns-${number}.toml`, "--replace"];
}

// The arguments of a question; `number` covers the extremes of each kind.
function question(folder, number) {
  const squads = `${1 + below(6)}x ${one(SQUADS)}`;
  switch (number % 11) {
    case 0:
      return ["check", one(SQUADS), "--mc", `${below(6)}`];
    case 1:
      return [
        "check",
        `${one(LEADERS)} + ${squads}`,
        "--mc",
        `${below(4)}`,
        ...some(["--no-hob", "--counts"]),
      ];
    case 2:
      return [
        "rally",
        `${one(SQUADS)}/dm`,
        "--leader",
        one(LEADERS),
        "--terrain",
        one(TERRAINS),
        "--phases",
        `${1 + below(9)}`,
      ];
    case 3:
      return [
        "fire",
        one(SQUADS),
        "--fp",
        number % 22 === 3 ? "1..40" : `${1 + below(36)}`,
        "--drm",
        `${below(5) - 2}`,
      ];
    case 4:
      return ["interdict", one(SQUADS), "--hexes", `${1 + below(6)}`];
    case 5:
      return ["check", `2x ${one(SQUADS)}`, "--mc", `${below(4)}`, "--joint"];
    case 6:
      return courses(folder);
    case 7:
      return study(folder, number);
    case 8:
      return campaigns(folder, number);
    case 9:
      return [
        "check",
        one(SQUADS),
        "--mc",
        "0..3",
        "--engine",
        "monte-carlo",
        "--trials",
        "2000",
        "--seed",
        `${number}`,
      ];
    default:
      return [
        "rally",
        `${one(SQUADS)}/dm`,
        "--leader",
        LEADERS.slice(0, 1 + below(7)).join(","),
        "--terrain",
        TERRAINS.slice(0, 1 + below(5)).join(","),
        "--phases",
        `${1 + below(4)}`,
      ];
  }
}

function charts(folder) {
  const all = [];
  for (let number = 0; all.length < 300; number += 1) {
    const args = question(folder, number);
    // A request for a chart kind that does not fit names every kind that fits.
    const fault = lowcrawl(folder, [...args, "--chart", "x.svg", "--chart-kind", "map"]);
    const kinds = /allowed: ([a-z, ]+)/.exec(fault || "");
    if (!kinds) throw new Error(`${args.join(" ")}\n${fault}`);
    for (const kind of kinds[1].trim().split(", ")) {
      if (all.length < 300) all.push({ ...picture(folder, [...args, "--chart-kind", kind]), kind });
    }
  }
  return all;
}

function routs() {
  const folder = path.join(ROOT, "studies", "rout");
  const out = fs.mkdtempSync(path.join(os.tmpdir(), "rout-"));
  const files = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith(".toml"))
    .sort();
  const all = files.map((name) => ({
    name,
    ...picture(out, ["rout", path.join(folder, name), "--no-map"]),
    kind: "rout",
  }));
  fs.rmSync(out, { recursive: true });
  return all;
}

function boards(folder) {
  fs.cpSync(path.join(ROOT, "studies"), path.join(folder, "studies"), { recursive: true });
  const few = 'question = "rout"\n[base]\nsituation = "rout/sk06.toml"\n[grid]\nrout.1.at = "every hex"\n';
  fs.writeFileSync(path.join(folder, "studies", "few.toml"), few);
  const best = few.replace("[base]", 'tell = "choice"\n[base]');
  fs.writeFileSync(path.join(folder, "studies", "best.toml"), best);
  const of = (file) => ({
    ...picture(folder, ["study", "run", `studies/${file}.toml`, "--replace", "--chart-kind", "map"]),
    kind: "map",
  });
  return [of("anywhere"), of("few"), of("best")];
}

module.exports = function pictures() {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "charts-"));
  try {
    return { charts: charts(folder), routs: routs(), boards: boards(folder) };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
};
