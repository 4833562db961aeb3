/** The tables of the newest version; `migrations.ts` creates them. Times are epoch milliseconds. */
export interface Schema {
  config: { key: string; value: string };
  conversations: {
    key: number;
    id: string;
    title: string;
    created_at: number;
    updated_at: number;
    /** The number of entries, which is the `seq` of the last one. */
    entries: number;
  };
  entries: { conversation: number; seq: number; at: number; type: string; data: string };
  attempts: {
    number: number;
    at: number;
    generation_id: string;
    conversation_id: string | null;
    attempt: number;
    provider: string;
    model: string;
    credential: string;
    ok: number;
    kind: string | null;
    status: number | null;
    message: string | null;
    duration_ms: number;
    waited_ms: number;
  };
  /** `record`: JSON. */
  generations: { number: number; id: string; record: string };
  /** `since`: when it was reported; null in rows of the first version. */
  cooldowns: { key: string; until: number; since: number | null };
  experience: {
    provider: string;
    endpoint: string;
    status: string;
    successes: number;
    failures: number;
    /** Sum over those that worked. */
    waited_ms: number;
  };
}
