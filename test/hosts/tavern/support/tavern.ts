import type { Page } from "playwright-core";
import type { Outcome } from "../page/host-page.ts";
import type { HostCall, Step } from "../page/steps.ts";

/** The host's page, seen from a test. */
export class Tavern {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async enableScript(): Promise<void> {
    await this.page.evaluate(async () => {
      const script = await (await fetch("/script.txt")).text();
      await window.tavern.openScript("secondwind", script, "ours");
    });
  }

  async disableScript(): Promise<void> {
    await this.page.evaluate(() => window.tavern.close("secondwind"));
  }

  /** Outcomes of the next calls; after the last one every call succeeds. */
  async play(...steps: readonly Step[]): Promise<void> {
    await this.page.evaluate((added) => void window.tavern.steps.push(...added), steps);
  }

  /** The outcome of every call from now on. */
  async always(step: Step | undefined): Promise<void> {
    await this.page.evaluate((only) => {
      if (only === undefined) delete window.tavern.planned.plan;
      else window.tavern.planned.plan = () => only;
    }, step);
  }

  /** Starts a call from a script in that frame. Returns its number, for `outcome`. */
  ask(config: Record<string, unknown> = {}, from = "other", name: HostCall["name"] = "generate"): Promise<number> {
    return this.page.evaluate(([given, frame, fn]) => window.tavern.ask(frame, given, fn), [
      config,
      from,
      name,
    ] as const);
  }

  async advance(ms: number): Promise<void> {
    await this.page.evaluate((by) => window.tavern.clock.advance(by), ms);
  }

  /** Runs everything that takes no time. */
  async settle(): Promise<void> {
    await this.page.evaluate(() => window.tavern.settle(20));
  }

  outcome(call: number): Promise<Outcome> {
    return this.page.evaluate((index) => window.tavern.outcomes[index] as Outcome, call);
  }

  /** For the real clock: waits until the call has settled. */
  async ended(call: number): Promise<Outcome> {
    await this.page.waitForFunction((index) => window.tavern.outcomes[index]?.state !== "pending", call, {
      polling: 20,
    });
    return this.outcome(call);
  }

  /** The calls that reached the host. */
  calls(): Promise<HostCall[]> {
    return this.page.evaluate(() => window.tavern.calls.map((call) => ({ ...call })));
  }

  async startedAt(): Promise<number[]> {
    return (await this.calls()).map(({ atMs }) => atMs);
  }

  toasts(): Promise<string[]> {
    return this.page.evaluate(() => window.tavern.toasts());
  }

  stop(id: string): Promise<unknown> {
    return this.page.evaluate(
      (stopped) => (window.tavern.windowOf("other").stopGenerationById as (id: string) => unknown)(stopped),
      id,
    );
  }

  async pressStop(): Promise<void> {
    await this.page.evaluate(() => document.querySelector<HTMLElement>("#mes_stop")?.click());
    await this.settle();
  }

  isStopShown(): Promise<boolean> {
    return this.page.evaluate(() => window.tavern.isStopShown());
  }

  variables(): Promise<Record<string, unknown> | undefined> {
    return this.page.evaluate(() => window.tavern.variables.get("ours"));
  }
}
