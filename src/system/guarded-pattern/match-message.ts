import type { ContentVerdict } from "../../kernel/model/ports.ts";

/** What crosses to the worker: one check. */
export interface MatchRequest {
  readonly id: number;
  readonly text: string;
  readonly pattern: string;
  readonly flags: string;
}

/** What comes back: once that it is up, then the verdicts. */
export type MatchReply = { readonly ready: true } | { readonly id: number; readonly verdict: ContentVerdict };
