import { type FailedCall, NO_TRAIL, type Trail } from "../answer/prose/journey.ts";

/** Limited, because a simulator may run for days. */
const MOST_QUESTIONS = 1000;
const MOST_CALLS = 12;

/** Which calls for a question have failed so far, so that its answer can tell. */
export class Trails {
  private readonly trails = new Map<string, Trail>();
  /** By client: the trail of the question that was answered last. */
  private readonly ended = new Map<string, Trail>();

  of(question: string): Trail {
    return this.trails.get(question) ?? NO_TRAIL;
  }

  lastOf(client: string): Trail | undefined {
    return this.ended.get(client);
  }

  failed(question: string, call: FailedCall): void {
    const { calls, count } = this.of(question);
    put(this.trails, question, { calls: [...calls, call].slice(-MOST_CALLS), count: count + 1 });
  }

  answered(question: string, client: string): void {
    put(this.ended, client, this.of(question));
    this.trails.delete(question);
  }

  /** With the counters: what is asked next is asked for the first time. What has happened stays known. */
  restart(): void {
    this.trails.clear();
  }

  clear(): void {
    this.restart();
    this.ended.clear();
  }
}

/** The oldest is forgotten first. */
function put(trails: Map<string, Trail>, name: string, trail: Trail): void {
  trails.delete(name);
  trails.set(name, trail);
  const [oldest] = trails.keys();
  if (trails.size > MOST_QUESTIONS && oldest !== undefined) trails.delete(oldest);
}
