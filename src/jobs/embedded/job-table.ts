import type { Receipt } from "../../kernel/index.ts";
import type { Connection } from "../../store/sqlite/connection.ts";
import { crashDelayMs, endedReceipt, type Outcome, poisonFailure, SUSPECT_FROM } from "../endings.ts";
import type { JobFailure } from "../job.ts";
import { keyReused, type NewJob } from "../new-job.ts";
import type { Settings } from "../settings.ts";
import type { BodyRow, JobRow } from "./job-row.ts";

export interface Taken {
  readonly row: JobRow;
  readonly body: BodyRow;
}

const OPEN = "state IN ('accepted', 'running', 'waiting')";
/** As it will count once it is taken. */
const SUSPECT = `(crashes + (state = 'running') >= ${SUSPECT_FROM})`;
/** Rows that one write may delete: more would hold up the event loop. */
const SWEEP_AT_ONCE = 500;

/** The writes of the jobs' tables. Each method runs inside a transaction, so what it reads can't change before it writes. */
export class JobTable {
  readonly #connection: Connection;
  readonly #settings: Settings;

  constructor(connection: Connection, settings: Settings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /** The id of the job, or of the one that has the key already. */
  insert(job: NewJob, nowMs: number): string {
    const { id, key, fingerprint, group, model, policyName, deadline } = job;
    if (key !== null) {
      const [known] = this.#rows<JobRow>("SELECT id, fingerprint FROM jobs WHERE key = ?", [key]);
      if (known !== undefined && known.fingerprint !== fingerprint) throw keyReused(key);
      if (known !== undefined) return known.id;
    }
    const values = [id, key, fingerprint, group, model, policyName, nowMs, nowMs, deadline, nowMs, this.#nextRev()];
    const [row] = this.#rows<{ seq: number }>(
      "INSERT INTO jobs (id, key, fingerprint, grp, state, model, policy, created_at, updated_at, deadline, due, rev) " +
        "VALUES (?, ?, ?, ?, 'accepted', ?, ?, ?, ?, ?, ?, ?) RETURNING seq",
      values,
    );
    const body = [row?.seq ?? 0, job.request, job.policy];
    this.#run("INSERT INTO bodies (seq, request, policy) VALUES (?, ?, ?)", body);
    return id;
  }

  /** Takes jobs that are due. One that was running belonged to a worker that has shown no life: that counts as a crash. */
  take(nowMs: number, limit: number, except: ReadonlySet<string>, takesSuspect: boolean): readonly Taken[] {
    const isDue = `${OPEN} AND due <= ?`;
    const usual = this.#rows<JobRow>(`SELECT * FROM jobs WHERE ${isDue} AND NOT ${SUSPECT} ORDER BY due LIMIT ?`, [
      nowMs,
      limit + except.size,
    ]);
    const suspects = takesSuspect
      ? this.#rows<JobRow>(`SELECT * FROM jobs WHERE ${isDue} AND ${SUSPECT} ORDER BY due LIMIT ?`, [
          nowMs,
          1 + except.size,
        ])
      : [];
    const isFree = ({ id }: JobRow): boolean => !except.has(id);
    const free = [...suspects.filter(isFree).slice(0, 1), ...usual.filter(isFree)].slice(0, limit);
    return free.flatMap((row) => this.#takeOne(row, nowMs) ?? []);
  }

  #takeOne(row: JobRow, nowMs: number): Taken | undefined {
    const { poisonAfter, leaseMs } = this.#settings;
    const isCrash = row.state === "running";
    const crashes = isCrash ? row.crashes + 1 : row.crashes;
    if (isCrash && crashes >= poisonAfter) return void this.#poison(row, crashes, nowMs);
    const delayMs = isCrash ? crashDelayMs(crashes, this.#settings.crashDelayMs) : 0;
    if (delayMs > 0) return void this.#putBack(row, crashes, nowMs + delayMs, nowMs);
    const epoch = row.epoch + 1;
    this.#run(
      "UPDATE jobs SET state = 'running', epoch = ?, crashes = ?, due = ?, updated_at = ?, rev = ? WHERE seq = ?",
      [epoch, crashes, nowMs + leaseMs, nowMs, this.#nextRev(), row.seq],
    );
    const [body] = this.#rows<BodyRow>("SELECT * FROM bodies WHERE seq = ?", [row.seq]);
    if (body === undefined) throw new Error(`The job ${row.id} has lost its request`);
    return { row: { ...row, state: "running", epoch, crashes, updated_at: nowMs }, body };
  }

  #poison({ seq, id, failure, receipt }: JobRow, crashes: number, nowMs: number): void {
    const last = failure === null ? undefined : (JSON.parse(failure) as JobFailure);
    const before = receipt === null ? undefined : (JSON.parse(receipt) as Receipt);
    this.#run(
      "UPDATE jobs SET state = 'failed', is_poison = 1, crashes = ?, failure = ?, receipt = ?, finished_at = ?, updated_at = ?, " +
        "epoch = epoch + 1, rev = ? WHERE seq = ?",
      [
        crashes,
        JSON.stringify(poisonFailure(crashes, last)),
        JSON.stringify(endedReceipt(id, before, "gave-up")),
        nowMs,
        nowMs,
        this.#nextRev(),
        seq,
      ],
    );
  }

  #putBack({ seq }: JobRow, crashes: number, due: number, nowMs: number): void {
    this.#run(
      "UPDATE jobs SET state = iif((SELECT saved FROM bodies WHERE bodies.seq = jobs.seq) IS NULL, 'accepted', 'waiting'), " +
        "crashes = ?, due = ?, epoch = epoch + 1, updated_at = ?, rev = ? WHERE seq = ?",
      [crashes, due, nowMs, this.#nextRev(), seq],
    );
  }

  /** B6: exactly one result. False: the delivery is not the job's latest, or the job was cancelled. */
  commit(id: string, epoch: number, outcome: Outcome, nowMs: number): boolean {
    const { state, attempts, failure, receipt, result, saved, until } = outcome;
    const [row] = this.#rows<{ seq: number }>(
      "UPDATE jobs SET state = ?, attempts = ?, failure = ?, receipt = ?, finished_at = ?, due = ?, crashes = 0, retry_now = 0, " +
        "updated_at = ?, rev = ? WHERE id = ? AND epoch = ? AND state = 'running' RETURNING seq",
      [
        ...[state, attempts, failure, receipt, state === "waiting" ? null : nowMs, until ?? nowMs],
        ...[nowMs, this.#nextRev(), id, epoch],
      ],
    );
    if (row === undefined) return false;
    this.#run("UPDATE bodies SET saved = ?, result = ? WHERE seq = ?", [saved, result, row.seq]);
    return true;
  }

  /** The worker stops: another one goes on from the last wait. */
  release(id: string, epoch: number, nowMs: number): void {
    const [row] = this.#rows<JobRow>("SELECT * FROM jobs WHERE id = ? AND epoch = ? AND state = 'running'", [
      id,
      epoch,
    ]);
    if (row !== undefined) this.#putBack(row, row.crashes, nowMs, nowMs);
  }

  /** The runner itself failed: the next worker takes the job at once, and counts a crash. */
  crash(id: string, epoch: number, nowMs: number): void {
    this.#run("UPDATE jobs SET due = ? WHERE id = ? AND epoch = ? AND state = 'running'", [nowMs, id, epoch]);
  }

  /** Returns the ids that are no longer this worker's. */
  renew(held: readonly (readonly [id: string, epoch: number])[], nowMs: number): readonly string[] {
    const due = nowMs + this.#settings.leaseMs;
    return held.flatMap(([id, epoch]) => {
      const sql = "UPDATE jobs SET due = ? WHERE id = ? AND epoch = ? AND state = 'running' RETURNING seq";
      return this.#rows(sql, [due, id, epoch]).length === 0 ? [id] : [];
    });
  }

  cancel(id: string, nowMs: number): boolean {
    const [row] = this.#rows<JobRow>(`SELECT * FROM jobs WHERE id = ? AND ${OPEN}`, [id]);
    if (row === undefined) return false;
    const last = row.receipt === null ? undefined : (JSON.parse(row.receipt) as Receipt);
    this.#run(
      "UPDATE jobs SET state = 'cancelled', receipt = ?, finished_at = ?, updated_at = ?, epoch = epoch + 1, rev = ? WHERE seq = ?",
      [JSON.stringify(endedReceipt(id, last, "aborted")), nowMs, nowMs, this.#nextRev(), row.seq],
    );
    return true;
  }

  retryNow(id: string, nowMs: number): boolean {
    const [waiting] = this.#rows(
      "UPDATE jobs SET due = ?, retry_now = 1, updated_at = ?, rev = ? WHERE id = ? AND state = 'waiting' RETURNING seq",
      [nowMs, nowMs, this.#nextRev(), id],
    );
    if (waiting !== undefined) return true;
    const [again] = this.#rows<{ seq: number }>(
      "UPDATE jobs SET state = 'accepted', due = ?, updated_at = ?, rev = ?, epoch = epoch + 1, attempts = 0, crashes = 0, " +
        "is_poison = 0, retry_now = 0, failure = NULL, receipt = NULL, finished_at = NULL " +
        "WHERE id = ? AND state IN ('failed', 'cancelled') RETURNING seq",
      [nowMs, nowMs, this.#nextRev(), id],
    );
    if (again === undefined) return false;
    this.#run("UPDATE bodies SET saved = NULL, result = NULL WHERE seq = ?", [again.seq]);
    return true;
  }

  /** Deletes final jobs that were kept long enough. Returns whether there may be more. */
  sweep(beforeMs: number): boolean {
    const gone = this.#rows(
      `DELETE FROM jobs WHERE seq IN (SELECT seq FROM jobs WHERE finished_at < ? LIMIT ${SWEEP_AT_ONCE}) RETURNING seq`,
      [beforeMs],
    );
    return gone.length === SWEEP_AT_ONCE;
  }

  #nextRev(): number {
    const [row] = this.#rows<{ rev: number }>("UPDATE counter SET rev = rev + 1 RETURNING rev", []);
    return row?.rev ?? 0;
  }

  #rows<Row>(sql: string, values: readonly unknown[]): readonly Row[] {
    return this.#connection.rowsCompiled<Row>(sql, values);
  }

  #run(sql: string, values: readonly unknown[]): void {
    this.#connection.runCompiled(sql, values);
  }
}
