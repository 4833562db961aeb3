import type { Connection } from "../../store/sqlite/connection.ts";
import { OPEN_STATES } from "../endings.ts";
import { JOB_STATES, type JobCounts, type JobState } from "../job.ts";
import type { CheckedFilter } from "../list-filter.ts";
import type { BodyRow, JobRow } from "./job-row.ts";

const CHANGES_AT_ONCE = 500;

/** The reads of the jobs' tables. */
export class JobReader {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  find(id: string): JobRow | undefined {
    return this.#rows<JobRow>("SELECT * FROM jobs WHERE id = ?", [id])[0];
  }

  body(id: string): BodyRow | undefined {
    return this.#rows<BodyRow>("SELECT b.* FROM bodies b JOIN jobs j USING (seq) WHERE j.id = ?", [id])[0];
  }

  hasDue(nowMs: number): boolean {
    const sql = "SELECT 1 FROM jobs WHERE state IN ('accepted', 'running', 'waiting') AND due <= ? LIMIT 1";
    return this.#rows(sql, [nowMs]).length > 0;
  }

  isHeld(id: string, epoch: number): boolean {
    const sql = "SELECT 1 FROM jobs WHERE id = ? AND epoch = ? AND state = 'running'";
    return this.#rows(sql, [id, epoch]).length > 0;
  }

  list({ states, group, isPoison, limit, after }: CheckedFilter): readonly JobRow[] {
    const conditions = [
      ...(states === undefined ? [] : [`state IN (${states.map(() => "?").join(", ")})`]),
      ...(group === undefined ? [] : ["grp = ?"]),
      ...(isPoison === undefined ? [] : [`is_poison = ${isPoison ? 1 : 0}`]),
      ...(after === undefined ? [] : ["seq < ?"]),
    ];
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const values = [
      ...(states ?? []),
      ...(group === undefined ? [] : [group]),
      ...(after === undefined ? [] : [after]),
    ];
    return this.#rows<JobRow>(`SELECT * FROM jobs ${where} ORDER BY seq DESC LIMIT ?`, [...values, limit]);
  }

  counts(nowMs: number): JobCounts {
    const rows = this.#rows<{ state: JobState; count: number }>(
      "SELECT state, count(*) AS count FROM jobs GROUP BY state",
      [],
    );
    const byState = new Map(rows.map(({ state, count }) => [state, count]));
    const oldest = OPEN_STATES.flatMap((state) =>
      this.#rows<{ at: number }>("SELECT created_at AS at FROM jobs WHERE state = ? ORDER BY seq LIMIT 1", [state]),
    ).map(({ at }) => at);
    return {
      ...(Object.fromEntries(JOB_STATES.map((state) => [state, byState.get(state) ?? 0])) as Record<JobState, number>),
      poison: this.#count("state = 'failed' AND is_poison = 1", []),
      stalled: this.#count("state = 'running' AND due <= ?", [nowMs]),
      ...(oldest.length > 0 && { oldestAt: Math.min(...oldest) }),
    };
  }

  /** Jobs that have changed since, in the order of their changes. */
  changes(rev: number): readonly JobRow[] {
    return this.#rows<JobRow>(`SELECT * FROM jobs WHERE rev > ? ORDER BY rev LIMIT ${CHANGES_AT_ONCE}`, [rev]);
  }

  rev(): number {
    return this.#rows<{ rev: number }>("SELECT rev FROM counter", [])[0]?.rev ?? 0;
  }

  #count(where: string, values: readonly unknown[]): number {
    return this.#rows<{ count: number }>(`SELECT count(*) AS count FROM jobs WHERE ${where}`, values)[0]?.count ?? 0;
  }

  #rows<Row>(sql: string, values: readonly unknown[]): readonly Row[] {
    return this.#connection.rowsCompiled<Row>(sql, values);
  }
}
