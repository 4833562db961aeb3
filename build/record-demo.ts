// Records `secondwind demo` in tmux and writes docs/images/demo.svg: `npm run build && npx tsx build/record-demo.ts`.
// An animated SVG needs no player, scales, and stays small: a line is stored once for as long as it is on the screen.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseColours, type Span } from "./parse-colours.ts";

const COLUMNS = 80;
const ROWS = 26;
const FRAME_MS = 100;
const HOLD_MS = 6_000;
const CELL = { width: 8.4, height: 18 };
const MARGIN = { top: 44, side: 20, bottom: 16 };
const COLOURS: Readonly<Record<number, string>> = {
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  36: "#79c0ff",
  90: "#8b949e",
};

interface Line {
  readonly row: number;
  readonly content: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

const tmux = (...args: readonly string[]): string =>
  execFileSync("tmux", ["-u", "-L", "secondwind-demo", "-f", "/dev/null", ...args], { encoding: "utf8" });

async function record(): Promise<Line[]> {
  const command = "printf '$ npx secondwind demo\\n'; node dist/cli.cjs demo; printf '\\0337<end>'; sleep 60";
  tmux("new-session", "-d", "-s", "demo", "-x", String(COLUMNS), "-y", String(ROWS), command);
  const startedAt = Date.now();
  const done: Line[] = [];
  let shown: Line[] = [];
  try {
    for (let isOver = false; !isOver; await sleep(FRAME_MS)) {
      const screen = tmux("capture-pane", "-p", "-e", "-t", "demo");
      const now = Date.now() - startedAt;
      isOver = screen.includes("<end>");
      const rows = screen.replace("<end>", "").split("\n").slice(0, ROWS);
      const next = rows.flatMap((content, row) => {
        if (content.trim() === "") return [];
        const before = shown.find((line) => line.row === row && line.content === content);
        return [before ?? { row, content, fromMs: now, untilMs: Number.POSITIVE_INFINITY }];
      });
      done.push(...shown.filter((line) => !next.includes(line)).map((line) => ({ ...line, untilMs: now })));
      shown = next;
    }
  } finally {
    tmux("kill-server");
  }
  return [...done, ...shown];
}

function toSvg(lines: readonly Line[]): string {
  const lastMs = Math.max(...lines.map(({ fromMs }) => fromMs));
  const totalMs = lastMs + HOLD_MS;
  const percent = (ms: number): string => `${Number(((ms / totalMs) * 100).toFixed(2))}%`;
  const width = Math.round(COLUMNS * CELL.width + 2 * MARGIN.side);
  const height = ROWS * CELL.height + MARGIN.top + MARGIN.bottom;
  const keyframes = lines.map(({ fromMs, untilMs }, index) => {
    const ending = untilMs === Number.POSITIVE_INFINITY ? "" : `${percent(untilMs)}{visibility:hidden}`;
    return `@keyframes l${index}{0%{visibility:hidden}${percent(fromMs)}{visibility:visible}${ending}}`;
  });
  const texts = lines.map(({ row, content, untilMs }, index) => {
    // Where nothing moves (reduced motion, a converter), the last screen is shown.
    const passing = untilMs === Number.POSITIVE_INFINITY ? "" : ' visibility="hidden"';
    const spans = parseColours(content).map(toTspan).join("");
    return `<text y="${MARGIN.top + row * CELL.height}" style="animation-name:l${index}"${passing}>${spans}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="secondwind demo: one answer after a rate limit, a cut connection, a used-up key, an overloaded model and a stalled stream">
<style>
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3;white-space:pre}
@media (prefers-reduced-motion:no-preference){text{animation:${totalMs}ms step-end infinite}}
${keyframes.join("\n")}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<circle cx="20" cy="16" r="5" fill="#ff5f57"/><circle cx="38" cy="16" r="5" fill="#febc2e"/><circle cx="56" cy="16" r="5" fill="#28c840"/>
${texts.join("\n")}
</svg>
`;
}

function toTspan({ column, text, colour, isBold, isDim }: Span): string {
  // Fonts differ in the width of arrows and bars; a fixed length keeps every span in its columns.
  const x = Number((MARGIN.side + column * CELL.width).toFixed(1));
  const length = Number((text.length * CELL.width).toFixed(1));
  const fill = colour === undefined ? "" : ` fill="${COLOURS[colour] ?? "#e6edf3"}"`;
  const weight = isBold ? ' font-weight="bold"' : "";
  const opacity = isDim ? ' fill-opacity=".6"' : "";
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<tspan x="${x}" textLength="${length}"${fill}${weight}${opacity}>${escaped}</tspan>`;
}

writeFileSync("docs/images/demo.svg", toSvg(await record()));
