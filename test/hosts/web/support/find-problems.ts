import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe-core finds serious or critical on the page as it stands: the rule and the elements. */
export async function findProblems(page: Page): Promise<readonly string[]> {
  // Through the debugger: the page's own CSP would refuse it.
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ["violations"],
    });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
  });
}
