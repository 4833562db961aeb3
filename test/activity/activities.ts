import { type Activity, type ActivityOptions, openActivity } from "../../src/activity/index.ts";
import { MemoryHealth } from "../../src/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { World } from "../support/world.ts";

/** An activity in a world of virtual time. */
export async function newActivity(
  options: Partial<ActivityOptions> = {},
  world = new World(),
): Promise<{ readonly activity: Activity; readonly world: World }> {
  const activity = await openActivity({
    store: memoryStore(),
    health: new MemoryHealth(),
    ports: world.ports,
    ...options,
  });
  return { activity, world };
}

export const facts = { door: "chat", policy: "default", asked: "first/a" } as const;
