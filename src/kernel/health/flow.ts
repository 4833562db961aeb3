import { type Crowd, crowdAfterTimeout, hasRoom, isCrowdOver, startCrowd, suspiciousAbove } from "./crowd.ts";
import { ASK_AGAIN_MS, spreadMs } from "./spread.ts";
import { LOT, NO_TRAFFIC, scaledTraffic, type Traffic, trafficAfterLot, trafficAtLeast } from "./traffic.ts";

/**
 * The calls to one provider as they come and go. It stands on the way of every call, good weather included, so it only counts:
 * what is usual is worked out once in several answers, and whether there is a crowd only if there are many calls.
 */
export class Flow {
  usual: Traffic = NO_TRAFFIC;
  underWay = 0;
  /** More calls than usual are under way, so calls ask. */
  isSuspect = false;
  private answers = 0;
  private suspiciousAbove = Number.POSITIVE_INFINITY;
  private crowd: Crowd | undefined = undefined;

  start(): void {
    if (++this.underWay >= this.suspiciousAbove) this.isSuspect = true;
  }

  end(): void {
    // One that started before it was counted, in another process or another life of this health.
    if (this.underWay > 0) this.underWay--;
  }

  /** Returns whether it is time to learn. */
  answer(): boolean {
    this.end();
    return (++this.answers & (LOT - 1)) === 0;
  }

  /** `isUsual`: nothing holds calls back. */
  learn(isUsual: boolean, nowMs: number): void {
    this.usual = trafficAfterLot(this.usual, this.underWay, isUsual && this.crowd === undefined, nowMs);
    this.suspiciousAbove = suspiciousAbove(this.usual);
  }

  /** A limit holds calls back, so what comes is the least that is usual. */
  learnLeast(): void {
    this.usual = trafficAtLeast(this.usual, this.underWay);
    this.suspiciousAbove = suspiciousAbove(this.usual);
  }

  /** A call asked elsewhere: what it would have found out here holds here too. */
  notice(nowMs: number): void {
    if (this.isSuspect) this.crowd ??= startCrowd(this.usual, this.underWay, nowMs);
  }

  /** A part of the calls is counted elsewhere from now on. */
  scale(factor: number): void {
    this.usual = scaledTraffic(this.usual, factor);
    this.suspiciousAbove = suspiciousAbove(this.usual);
  }

  noteTimeout(nowMs: number): void {
    if (this.crowd !== undefined) this.crowd = crowdAfterTimeout(this.crowd, this.usual, this.underWay, nowMs);
  }

  isCrowded(nowMs: number): boolean {
    return this.crowd !== undefined && !hasRoom(this.crowd, this.underWay, nowMs);
  }

  /** Whether nothing is suspicious any more. */
  hasCalmedDown(): boolean {
    if (this.crowd === undefined && this.underWay < this.suspiciousAbove) this.isSuspect = false;
    return !this.isSuspect;
  }

  /** A call asks: when to ask again, 0: it may go, "over": it may, and those who waited come back. */
  ask(nowMs: number): number | "over" {
    const crowd = this.crowd ?? startCrowd(this.usual, this.underWay, nowMs);
    this.crowd = crowd;
    if (crowd === undefined) return 0;
    if (isCrowdOver(this.usual, this.underWay, nowMs)) {
      this.crowd = undefined;
      return crowd.turnedAway > 0 ? "over" : 0;
    }
    if (hasRoom(crowd, this.underWay, nowMs)) return 0;
    this.crowd = { ...crowd, turnedAway: crowd.turnedAway + 1 };
    return ASK_AGAIN_MS + spreadMs(crowd.turnedAway);
  }
}
