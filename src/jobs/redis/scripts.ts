import { SUSPECT_FROM } from "../endings.ts";
import { BODY_FIELDS, JOB_FIELDS } from "./job-fields.ts";
import { takeScript } from "./take-script.ts";

/** Idle workers look every second. */
const SILENCE_MS = 2000;
/** Beats are written no more often. */
const BEAT_MS = 200;

/**
 * The changes of a job, each one atomic. KEYS[1] is the prefix of all keys; its hash tag keeps them in one slot of a cluster.
 *
 *   :j:<id>      the job: small fields          :b:<id>      what may be large: request, policy, saved, result
 *   :k:<key>     idempotency key → id           :seq         numbers jobs in the order of submission
 *   :all, :s:<state>, :g:<group>                ids by that number
 *   :due         jobs that no worker has, by when they are due: waits by the clock of their worker; new ones, and those that are
 *                retried, not later than the clock of Redis
 *   :suspects    the same for those that may kill their worker
 *   :leases      jobs that run, by when their worker must have shown life. By the clock of Redis: those of machines differ
 *   :taken:<worker>  what a worker took last, in case the answer was lost
 *   :bell        has an entry if something may be due that no worker has noticed
 *   :pulse       when a worker was last heard of, and when that was the first time for long
 *   :ended       final jobs, by when they ended :poison      those that were given up
 *
 * A script collects what it changes in the indexes: `apply` makes one command of it for each index, however many jobs it has.
 */
const COMMON = `
local P = KEYS[1]
local call = redis.call
local added, removed, changed = {}, {}, {}
local hasRung = false
local function add(index, score, id)
  local list = added[index] or {}
  added[index] = list
  list[#list + 1] = score
  list[#list + 1] = id
end
local function remove(index, id)
  local list = removed[index] or {}
  removed[index] = list
  list[#list + 1] = id
end
local function move(id, seq, from, to)
  remove('s:' .. from, id)
  add('s:' .. to, seq, id)
  changed[#changed + 1] = id
end
local function apply()
  for index, list in pairs(removed) do call('ZREM', P .. ':' .. index, unpack(list)) end
  for index, list in pairs(added) do call('ZADD', P .. ':' .. index, unpack(list)) end
  if #changed > 0 then call('PUBLISH', P .. ':changes', table.concat(changed, ' ')) end
  added, removed, changed = {}, {}, {}
end
local clock
-- The clock of Redis, in ms.
local function clockOf()
  if clock then return clock end
  local time = call('TIME')
  clock = time[1] * 1000 + math.floor(time[2] / 1000)
  return clock
end
-- What is due at once must be so for every worker, also if the caller's clock is ahead of theirs.
local function atOnce(now)
  return math.min(now, clockOf())
end
-- A worker was heard of.
local function beat(leaseMs)
  local clock = clockOf()
  local pulse = call('HMGET', P .. ':pulse', 'at', 'since')
  local since = tonumber(pulse[2] or clock)
  local silence = clock - (pulse[1] or 0)
  if silence > math.max(leaseMs / 2, ${SILENCE_MS}) then since = clock end
  if silence > ${BEAT_MS} then call('HSET', P .. ':pulse', 'at', clock, 'since', since) end
  return clock, since
end
local function ring()
  if hasRung then return end
  hasRung = true
  if call('EXISTS', P .. ':bell') == 0 then call('RPUSH', P .. ':bell', 1) end
end
-- A job that ran goes on from its last wait, on the next worker. Score 0: before everything that has not begun.
local function putBack(id, seq, epoch, crashes, due, now)
  local to = call('HEXISTS', P .. ':b:' .. id, 'saved') == 1 and 'waiting' or 'accepted'
  call('HSET', P .. ':j:' .. id, 'state', to, 'epoch', epoch + 1, 'crashes', crashes, 'until', math.max(due, now), 'updatedAt', now)
  remove('leases', id)
  add(crashes >= ${SUSPECT_FROM} and 'suspects' or 'due', due, id)
  move(id, seq, 'running', to)
end
`;

/**
 * Runs a script for many jobs at once: the number of values for each, then the values; `at` is where those of one begin. One that fails
 * leaves the others alone, so it must not touch an index before its last command. A call costs more than what it does for one job.
 */
function forMany(script: string): string {
  return `${COMMON}
local function one(at)
${script}
end
local answers = {}
for at = 2, #ARGV, tonumber(ARGV[1]) do
  local ok, answer = pcall(one, at)
  if not ok then answer = {'fault', type(answer) == 'table' and answer.err or tostring(answer)} end
  answers[#answers + 1] = answer
end
apply()
return answers
`;
}

/** id, key, fingerprint, group, model, policy name, now, deadline, request, policy → new | known, id | reused. */
const SUBMIT = `
local id, key, fingerprint, group, model, name, now, deadline, request, policy = unpack(ARGV, at, at + 9)
local J, K = P .. ':j:' .. id, P .. ':k:' .. key
local known = key ~= '' and call('GET', K) or id
local was = call('HGET', P .. ':j:' .. known, 'fingerprint')
if was then return was == fingerprint and {'known', known} or {'reused'} end
local seq = call('INCR', P .. ':seq')
call('HSET', P .. ':b:' .. id, 'request', request, 'policy', policy)
if key ~= '' then call('SET', K, id) end
ring()
-- Last: from here on it is known.
call('HSET', J, 'id', id, 'seq', seq, 'fingerprint', fingerprint, 'state', 'accepted', 'model', model, 'policy', name,
  'createdAt', now, 'key', key, 'group', group, 'deadline', deadline)
if group ~= '' then add('g:' .. group, seq, id) end
add('all', seq, id)
add('s:accepted', seq, id)
-- In the order of submission, also within a millisecond.
add('due', atOnce(now) - 1 + seq % 4096 / 4096, id)
changed[#changed + 1] = id
return {'new', id}
`;

/**
 * id, epoch, state, now, attempts, failure, receipt, result, saved, until, is poison, crashes → 1: committed, now or before.
 * B6: only the latest delivery of a job that runs can commit.
 */
const COMMIT = `
local id, epoch, to, now, attempts, failure, receipt, result, saved, til, isPoison, crashes = unpack(ARGV, at, at + 11)
local J, B = P .. ':j:' .. id, P .. ':b:' .. id
local job = call('HMGET', J, 'state', 'epoch', 'seq', 'crashes', 'failure', 'retryNow')
if not job[1] or job[2] ~= epoch then return 0 end
if job[1] == to then return 1 end
if job[1] ~= 'running' then return 0 end
-- A job that has waited has a failure, and where it goes on.
if job[5] or job[6] then
  call('HDEL', J, 'retryNow', 'failure')
  call('HDEL', B, 'saved')
end
if failure ~= '' then call('HSET', J, 'failure', failure) end
if (job[4] or '0') ~= crashes then call('HSET', J, 'crashes', crashes) end
if to == 'waiting' then
  call('HSET', B, 'saved', saved)
  call('HSET', J, 'state', to, 'attempts', attempts, 'receipt', receipt, 'updatedAt', now, 'until', til)
  add('due', til, id)
else
  if result ~= '' then call('HSET', B, 'result', result) end
  call('HSET', J, 'state', to, 'attempts', attempts, 'receipt', receipt, 'updatedAt', now, 'finishedAt', now)
  add('ended', now, id)
  if isPoison == '1' then add('poison', job[3], id) end
end
remove('leases', id)
move(id, job[3], 'running', to)
return 1
`;

/** id, epoch, now → 1: the worker stops, or was stopped; another one goes on from the last wait. */
const RELEASE = `${COMMON}
local id, epoch, now = unpack(ARGV)
local job = call('HMGET', P .. ':j:' .. id, 'state', 'epoch', 'seq', 'crashes')
if job[1] ~= 'running' or job[2] ~= epoch then return 0 end
putBack(id, job[3], tonumber(epoch), tonumber(job[4] or 0), 0, tonumber(now))
ring()
apply()
return 1
`;

/** lease in ms, then id and epoch of each job that the worker has → the ids that are no longer its own. A lease of 0 gives it up. */
const RENEW = `${COMMON}
local leaseMs = tonumber(ARGV[1])
local lease = leaseMs > 0 and beat(leaseMs) + leaseMs or 0
local lost = {}
for at = 2, #ARGV, 2 do
  local job = call('HMGET', P .. ':j:' .. ARGV[at], 'state', 'epoch')
  if job[1] == 'running' and job[2] == ARGV[at + 1] then add('leases', lease, ARGV[at]) else lost[#lost + 1] = ARGV[at] end
end
apply()
if lease == 0 then ring() end
return lost
`;

/** id, state, epoch, now, receipt → -1: it has changed, ask again; 0: it is final; 1: cancelled, now or before. */
const CANCEL = `${COMMON}
local id, state, epoch, now, receipt = unpack(ARGV)
local J = P .. ':j:' .. id
local job = call('HMGET', J, 'state', 'epoch', 'seq')
if job[1] == 'cancelled' and tonumber(job[2]) == epoch + 1 then return 1 end
if job[1] ~= 'accepted' and job[1] ~= 'waiting' and job[1] ~= 'running' then return 0 end
if job[1] ~= state or (job[2] or '0') ~= epoch then return -1 end
call('HSET', J, 'state', 'cancelled', 'finishedAt', now, 'updatedAt', now, 'receipt', receipt, 'epoch', epoch + 1)
for _, index in ipairs({'due', 'suspects', 'leases'}) do remove(index, id) end
add('ended', now, id)
move(id, job[3], state, 'cancelled')
apply()
call('PUBLISH', P .. ':cancelled', id .. ' ' .. epoch)
return 1
`;

/** id, now → no | waiting, epoch | again. */
const RETRY = `${COMMON}
local id, now = unpack(ARGV)
local J = P .. ':j:' .. id
local job = call('HMGET', J, 'state', 'seq', 'epoch', 'crashes')
if job[1] == 'waiting' then
  call('HSET', J, 'until', now, 'retryNow', 1, 'updatedAt', now)
  add(tonumber(job[4] or 0) >= ${SUSPECT_FROM} and 'suspects' or 'due', atOnce(now), id)
  changed[1] = id
  apply()
  ring()
  return {'waiting', job[3]}
end
if job[1] ~= 'failed' and job[1] ~= 'cancelled' then return {'no'} end
call('HDEL', J, 'failure', 'receipt', 'finishedAt', 'retryNow')
call('HDEL', P .. ':b:' .. id, 'saved', 'result')
call('HSET', J, 'state', 'accepted', 'updatedAt', now, 'epoch', (job[3] or 0) + 1, 'attempts', 0, 'crashes', 0)
remove('ended', id)
remove('poison', id)
add('due', atOnce(now), id)
move(id, job[2], job[1], 'accepted')
apply()
ring()
return {'again'}
`;

/** Something is due: a worker that is idle looks. */
const RING = `${COMMON}
ring()
return 1
`;

/** final before, limit: deletes what was kept long enough. Returns how many. */
const SWEEP = `${COMMON}
local gone = call('ZRANGEBYSCORE', P .. ':ended', '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
for _, id in ipairs(gone) do
  local J = P .. ':j:' .. id
  local job = call('HMGET', J, 'state', 'key', 'group')
  if job[1] then remove('s:' .. job[1], id) end
  if job[2] and job[2] ~= '' then call('DEL', P .. ':k:' .. job[2]) end
  if job[3] and job[3] ~= '' then remove('g:' .. job[3], id) end
  for _, index in ipairs({'all', 'ended', 'poison'}) do remove(index, id) end
  call('DEL', J, P .. ':b:' .. id)
end
apply()
return #gone
`;

export const SCRIPTS = {
  submit: forMany(SUBMIT),
  take: takeScript(COMMON, names(JOB_FIELDS), names(BODY_FIELDS)),
  commit: forMany(COMMIT),
  release: RELEASE,
  renew: RENEW,
  cancel: CANCEL,
  retry: RETRY,
  ring: RING,
  sweep: SWEEP,
} as const;

/** Scripts for which calls of one tick are made together. */
export const FOR_MANY: ReadonlySet<keyof typeof SCRIPTS> = new Set(["submit", "commit"]);

function names(fields: readonly string[]): string {
  return fields.map((field) => `'${field}'`).join(", ");
}
