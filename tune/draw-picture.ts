import { type ScenarioName, scenarioOf } from "../src/simulator/lab/index.ts";

/** The part of the judge's JSON that is drawn. */
export interface Verdict {
  readonly own: string;
  readonly seeds: { readonly count: number };
  readonly cells: readonly VerdictCell[];
}

interface VerdictCell {
  readonly scenario: ScenarioName;
  readonly clients: number;
  readonly replicas: number;
  readonly policies: Readonly<Record<string, { readonly figures: PolicyFigures }>>;
}

type PolicyFigures = Readonly<Record<"failed" | "amplification" | "waited", number>>;

/** What happens, in a few words. */
const WORDS: Readonly<Record<ScenarioName, string>> = {
  "fast-503": "Every call fails for a minute",
  "black-hole": "Nine calls in ten vanish for a minute",
  brownout: "A third fails, the rest is slow",
  "529-wave": "Overloaded, in waves of 20 s",
  flapping: "Down for 5 s, up for 5 s",
  "quota-cliff": "Half of the calls are over the limit",
  "burst-429": "Everything at once, far over the limit",
  "slow-tokens": "Answers take six times as long",
  "regional-outage": "One of two providers is gone",
  drizzle: "One call in twenty fails, all day",
  "drizzle-hints": "The same, and limits come with hints",
  "long-outage": "Every call fails for 20 minutes",
  "thundering-start": "All clients start at the same moment",
  "slow-start": "A minute down, a minute to full speed",
};

interface Column {
  readonly key: keyof PolicyFigures;
  readonly title: string;
  readonly unit: string;
  readonly ticks: readonly number[];
  readonly sayTick: (value: number) => string;
  readonly say: (value: number) => string;
  /** 0 to 1 from left to right. */
  readonly place: (value: number) => number;
}

const linear = (from: number, to: number) => (value: number) => (value - from) / (to - from);
/** Close to linear below a second, then each step to the right is a multiple. */
const LONGEST = 120;
const seconds = (value: number): number => Math.log1p(value * 2) / Math.log1p(LONGEST * 2);

const COLUMNS: readonly Column[] = [
  {
    key: "failed",
    title: "Answers lost",
    unit: "of all questions",
    ticks: [0, 0.25, 0.5],
    sayTick: (share) => `${share * 100} %`,
    say: (share) => `${(share * 100).toFixed(share > 0.0005 && share < 0.0995 ? 1 : 0)} %`,
    place: linear(0, 0.5),
  },
  {
    key: "amplification",
    title: "Calls made",
    unit: "for each question",
    ticks: [1, 2, 3],
    sayTick: (calls) => `${calls}×`,
    say: (calls) => `${calls.toFixed(2)}×`,
    place: linear(0.5, 3),
  },
  {
    key: "waited",
    title: "Time waited",
    unit: "between calls, on average",
    ticks: [0, 1, 10, 60],
    sayTick: (value) => `${value} s`,
    say: (value) => `${value.toFixed(value < 10 ? 1 : 0)} s`,
    place: seconds,
  },
];

const WIDTH = 800;
const LEFT = 262;
const COLUMN = 180;
/** The strip of dots, without the figure to its right. */
const STRIP = 112;
const TOP = 148;
const ROW = 38;
/** A policy that loses more than this has given up. */
const GIVEN_UP = 0.01;

/** The verdict at one size as an SVG: a row per scenario, a strip of dots for each goal. */
export function drawPicture({ own, cells, seeds }: Verdict, clients: number): string {
  const rows = cells.filter((cell) => cell.clients === clients && cell.replicas === 1);
  if (rows.length === 0) throw new RangeError(`The verdict has no cells with ${clients} clients and one replica`);
  const peers = [...new Set(rows.flatMap(({ policies }) => Object.keys(policies)))].filter((name) => name !== own);
  const height = TOP + rows.length * ROW + 64;
  const who = clients === 1 ? "One person" : `${clients.toLocaleString("en")} clients`;
  const title = `${who}, a provider in trouble`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${title}: what each retry policy does</title>`,
    `<desc id="d">${escapeXml(describe(rows, own))}</desc>`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${height}" rx="10"/>`,
    `<text class="head" x="24" y="38">${title}</text>`,
    `<text x="24" y="60">One dot per retry policy; left is better. Rings lost over 1 % of the answers, so their short waits don’t count.</text>`,
    legend(own, peers),
    ...COLUMNS.map((column, index) => columnHead(column, index, rows.length)),
    ...rows.map((row, index) => drawRow({ row, own, peers, index })),
    `<text class="soft" x="24" y="${height - 20}">secondwind lab, ${seeds.count === 1 ? "one seed" : `${seeds.count} seeds`} not used for tuning. Arrows: off the scale. Time on a logarithmic scale.</text>`,
    "</svg>",
    "",
  ].join("\n");
}

function legend(own: string, peers: readonly string[]): string {
  let x = 30;
  const entries = [own, ...peers].map((name, index) => {
    const entry = `<circle class="${index === 0 ? "own" : `peer p${index}`}" cx="${x}" cy="84" r="${index === 0 ? 6 : 4.5}"/><text class="${index === 0 ? "own-name" : "soft"}" x="${x + 10}" y="88">${escapeXml(name)}</text>`;
    x += 30 + name.length * 7;
    return entry;
  });
  return entries.join("");
}

function columnHead({ title, unit, ticks, sayTick, place }: Column, index: number, rows: number): string {
  const x = LEFT + index * COLUMN;
  const bottom = TOP + rows * ROW;
  const lines = ticks.map((tick) => {
    const at = round(x + place(tick) * STRIP);
    return `<line class="grid" x1="${at}" x2="${at}" y1="${TOP - 4}" y2="${bottom}"/><text class="tick" x="${at}" y="${bottom + 15}">${sayTick(tick)}</text>`;
  });
  return `<text class="column" x="${x}" y="${TOP - 26}">${title}</text><text class="soft small" x="${x}" y="${TOP - 11}">${unit}</text>${lines.join("")}`;
}

interface RowInput {
  readonly row: VerdictCell;
  readonly own: string;
  readonly peers: readonly string[];
  readonly index: number;
}

function drawRow({ row, own, peers, index }: RowInput): string {
  const y = TOP + index * ROW + ROW / 2;
  const { title } = scenarioOf(row.scenario);
  const line = `<line class="rule" x1="24" x2="${WIDTH - 24}" y1="${y - ROW / 2}" y2="${y - ROW / 2}"/>`;
  const name = `<text class="row" x="24" y="${y - 2}">${escapeXml(title)}</text><text class="soft small" x="24" y="${y + 12}">${escapeXml(WORDS[row.scenario])}</text>`;
  const strips = COLUMNS.map((column, at) => {
    const x = LEFT + at * COLUMN;
    const others = peers.flatMap((peer, n) => dot({ row, name: peer, column, x, y, kind: `peer p${n + 1}` }));
    const figures = row.policies[own]?.figures;
    const value = figures === undefined ? "" : column.say(figures[column.key]);
    return `${others.join("")}${dot({ row, name: own, column, x, y, kind: "own" }).join("")}<text class="value" x="${x + STRIP + 10}" y="${y + 4}">${value}</text>`;
  });
  return [line, name, ...strips].join("");
}

interface DotInput {
  readonly row: VerdictCell;
  readonly name: string;
  readonly column: Column;
  readonly x: number;
  readonly y: number;
  readonly kind: string;
}

function dot({ row, name, column, x, y, kind }: DotInput): readonly string[] {
  const figures = row.policies[name]?.figures;
  if (figures === undefined) return [];
  const place = column.place(figures[column.key]);
  const at = round(x + Math.min(1, Math.max(0, place)) * STRIP);
  const label = `<title>${escapeXml(`${name}: ${column.say(figures[column.key])}`)}</title>`;
  // Beyond the scale: an arrow at its end.
  if (place > 1) return [`<path class="${kind} far" d="M${at - 4} ${y - 5}l7 5l-7 5z">${label}</path>`];
  const hasGivenUp = column.key !== "failed" && figures.failed > GIVEN_UP;
  return [
    `<circle class="${kind}${hasGivenUp ? " ring" : ""}" cx="${at}" cy="${y}" r="${kind === "own" ? 6 : 4.5}">${label}</circle>`,
  ];
}

/** For those who can't see it. */
function describe(rows: readonly VerdictCell[], own: string): string {
  return rows
    .flatMap(({ scenario, policies }) => {
      const figures = policies[own]?.figures;
      if (figures === undefined) return [];
      return `${scenarioOf(scenario).title}: ${COLUMNS.map(({ title, key, say }) => `${title.toLowerCase()} ${say(figures[key])}`).join(", ")}.`;
    })
    .join(" ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}

const PEERS_LIGHT = ["#d1495b", "#8a63c9", "#c08a1a", "#3f7ab8", "#c2682d", "#7d8590"];
const PEERS_DARK = ["#ff8095", "#c3a6f5", "#f0c35a", "#86b9ee", "#f5a270", "#a5aeb8"];
const peerColours = (colours: readonly string[]): string =>
  colours.map((colour, index) => `.p${index + 1}{fill:${colour};stroke:${colour}}`).join("");

const STYLE = [
  `text{font:13px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;fill:#1c1f24}`,
  ".ground{fill:#fbfaf7}.head{font-size:21px;font-weight:650}.column,.row{font-weight:600}.small{font-size:11.5px}",
  ".soft,.tick{fill:#5f6670}.tick{font-size:11px;text-anchor:middle}.value,.own-name{font-weight:650;fill:#0a6b66}",
  ".grid{stroke:#e4e2db}.rule{stroke:#eeece6}.own{fill:#0b7a75;stroke:#fbfaf7;stroke-width:1.5}.peer{stroke-width:1.5;fill-opacity:.75}",
  peerColours(PEERS_LIGHT),
  // After the colours, so that it wins.
  ".peer.ring{fill:none}.own.ring{fill:#fbfaf7;stroke:#0b7a75;stroke-width:3}",
  "@media (prefers-color-scheme:dark){text{fill:#e9eaec}.ground{fill:#161a1f}.soft,.tick{fill:#9aa3ae}.value,.own-name{fill:#4fd1c5}",
  ".grid{stroke:#2e343c}.rule{stroke:#232930}.own{fill:#3fc9c0;stroke:#161a1f}",
  peerColours(PEERS_DARK),
  ".peer.ring{fill:none}.own.ring{fill:#161a1f;stroke:#3fc9c0}}",
].join("");
