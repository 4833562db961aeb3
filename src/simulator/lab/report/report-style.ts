/** The style of the page: light or dark as the reader's system prefers, one column on a phone. */
export const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f5f1; --sheet: #ffffff; --ink: #1c1f24; --soft: #5f6670; --rule: #e4e2db; --shade: #f7dfd6; --shade-ink: #a2452a;
  --p0: #0b7a75; --p1: #d1495b; --p2: #5b5fc7; --p3: #b07d12;
  --p4: #8a3fa0; --p5: #3f7d20; --p6: #b5541c; --p7: #2f6fb0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --sheet: #1c2026; --ink: #e9eaec; --soft: #9aa3ae; --rule: #2e343c; --shade: #3a2622; --shade-ink: #f0a58f;
    --p0: #3fc9c0; --p1: #ff8095; --p2: #a3a6ff; --p3: #f0c35a;
    --p4: #d79bea; --p5: #93d16f; --p6: #f5a270; --p7: #82b8f0;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 40px 20px 56px; }
h1 { margin: 0 0 4px; font-size: 30px; line-height: 1.2; letter-spacing: -0.01em; }
h2 { margin: 36px 0 12px; font-size: 18px; }
p { margin: 0 0 8px; max-width: 68ch; }
.soft { color: var(--soft); }
.kicker { margin: 0 0 6px; color: var(--soft); font-size: 13px; letter-spacing: 0.06em; text-transform: uppercase; }
.notice { padding: 10px 14px; border-left: 4px solid var(--shade-ink); background: var(--shade); border-radius: 4px; }
.sheet { background: var(--sheet); border: 1px solid var(--rule); border-radius: 10px; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 10px 16px; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
thead th { color: var(--soft); font-size: 13px; font-weight: 500; }
tbody tr { border-top: 1px solid var(--rule); }
tbody th { font-weight: 600; }
td.best { font-weight: 700; }
.legend { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 6px 22px; margin: 0 0 8px; padding: 6px 0; background: var(--ground); list-style: none; font-size: 14px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 16px; }
.chart { margin: 0; padding: 14px 12px 6px; background: var(--sheet); border: 1px solid var(--rule); border-radius: 10px; }
figcaption { padding: 0 6px 6px; } figcaption span { color: var(--soft); font-size: 14px; }
svg { display: block; width: 100%; height: auto; }
svg.swatch { display: inline-block; width: 30px; height: 6px; margin-right: 10px; vertical-align: middle; } .swatch .line { stroke-width: 2.6; }
svg text { fill: var(--soft); font-size: 12.5px; font-variant-numeric: tabular-nums; }
.grid { stroke: var(--rule); stroke-width: 1; }
.outage { fill: var(--shade); } svg .outage-label { fill: var(--shade-ink); }
.mark { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 4; }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round; stroke-linecap: round; }
.line.p0 { stroke: var(--p0); } .line.p1 { stroke: var(--p1); stroke-dasharray: 7 4; }
.line.p2 { stroke: var(--p2); stroke-dasharray: 2 4; } .line.p3 { stroke: var(--p3); stroke-dasharray: 10 4 2 4; }
.line.p4 { stroke: var(--p4); stroke-dasharray: 4 3; } .line.p5 { stroke: var(--p5); stroke-dasharray: 12 3; }
.line.p6 { stroke: var(--p6); stroke-dasharray: 1 3; } .line.p7 { stroke: var(--p7); stroke-dasharray: 6 3 1 3 1 3; }
.band { opacity: 0.16; } .band.p0 { fill: var(--p0); } .band.p1 { fill: var(--p1); } .band.p2 { fill: var(--p2); } .band.p3 { fill: var(--p3); }
.band.p4 { fill: var(--p4); } .band.p5 { fill: var(--p5); } .band.p6 { fill: var(--p6); } .band.p7 { fill: var(--p7); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 6px 20px; margin: 0; font-size: 15px; }
dt { font-weight: 600; } dd { margin: 0; color: var(--soft); }
code { font: 13.5px ui-monospace, SFMono-Regular, Menlo, monospace; overflow-wrap: anywhere; }
footer { margin-top: 32px; font-size: 14px; }
@media (max-width: 560px) {
  main { padding: 24px 14px 40px; } h1 { font-size: 25px; } thead { display: none; }
  tbody tr { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px 10px; padding: 12px 14px; }
  tbody tr:first-child { border-top: 0; } tbody th { grid-column: 1 / -1; } th, td { padding: 0; } td { text-align: left; }
  td::before { content: attr(data-label); display: block; color: var(--soft); font-size: 12.5px; font-weight: 400; }
  svg text { font-size: 15px; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: 10px; }
}
@media print { body { background: none; } .chart { break-inside: avoid; } }
`.trim();
