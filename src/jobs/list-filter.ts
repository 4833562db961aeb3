import { checkArray, checkBoolean, checkNumber, checkObject, checkOneOf, InvalidInput } from "../kernel/index.ts";
import { JOB_STATES, type Job, type JobFilter, type JobPage, type JobState } from "./job.ts";
import { checkName } from "./new-job.ts";

const USUAL_LIMIT = 100;
const MOST = 1000;

export interface CheckedFilter {
  readonly states?: readonly JobState[];
  readonly group?: string;
  readonly isPoison?: boolean;
  readonly limit: number;
  /** A place in the order of submission. */
  readonly after?: number;
}

/** Throws `InvalidInput`. */
export function checkFilter(filter: JobFilter): CheckedFilter {
  checkObject("filter", filter, ["states", "group", "isPoison", "limit", "after"]);
  const { states, group, isPoison, limit = USUAL_LIMIT, after } = filter;
  return {
    ...(states !== undefined && {
      states: checkArray("filter.states", states).map((state) => checkOneOf("filter.states", state, JOB_STATES)),
    }),
    ...(group !== undefined && { group: checkName("filter.group", group) }),
    ...(isPoison !== undefined && { isPoison: checkBoolean("filter.isPoison", isPoison) }),
    limit: checkNumber("filter.limit", limit, { min: 1, max: MOST, integer: true }),
    ...(after !== undefined && { after: readCursor(after) }),
  };
}

function readCursor(after: string): number {
  if (typeof after === "string" && /^\d{1,15}$/.test(after)) return Number(after);
  throw new InvalidInput("filter.after", after, "`next` of an earlier page");
}

/** `found`: one more than asked for shows that there is another page. */
export function pageOf(found: readonly { readonly job: Job; readonly seq: number }[], limit: number): JobPage {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    jobs: page.map(({ job }) => job),
    ...(found.length > limit && last !== undefined && { next: String(last.seq) }),
  };
}
