import { BODY_FIELDS, JOB_FIELDS } from "./job-fields.ts";

/**
 * The changes of a job, each one atomic. KEYS[1] is the prefix of all keys; its hash tag keeps them in one slot of a cluster.
 *
 *   :j:<id>      the job: small fields          :b:<id>      what may be large: request, policy, saved, result
 *   :k:<key>     idempotency key → id           :seq         numbers jobs in the order of submission
 *   :all, :s:<state>, :g:<group>                ids by that number
 *   :due         open jobs that do not run, by when they are due
 *   :ended       final jobs, by when they ended :poison      those that were given up
 */
const COMMON = `
local P = KEYS[1]
local call = redis.call
local id = ARGV[1]
local J, B = P .. ':j:' .. id, P .. ':b:' .. id
local function move(seq, from, to)
  call('ZREM', P .. ':s:' .. from, id)
  call('ZADD', P .. ':s:' .. to, seq, id)
end
local function tell()
  call('HINCRBY', J, 'rev', 1)
  call('PUBLISH', P .. ':changes', id)
end
local function read()
  return call('HMGET', J, ${names(JOB_FIELDS)})
end
local function rest(now)
  if call('HEXISTS', B, 'saved') == 1 then return 'waiting' end
  return 'accepted'
end
`;

/** Answers of one call beyond so many bytes are left for the next: Redis has them all in its memory at once, and serves nobody else. */
const MOST_ANSWER_BYTES = 1_000_000;

/**
 * Runs a script for many jobs at once: the number of values for each, then the values. One that fails leaves the others alone; one that
 * finds no room for its answer is not run (`later`). What a script costs is mostly the call, so those of one tick share it.
 */
function forMany(script: string): string {
  return `
local function one(ARGV)${script}end
local size = tonumber(ARGV[1])
local answers, bytes = {}, 0
for at = 2, #ARGV, size do
  local answer = {'later'}
  if bytes < ${MOST_ANSWER_BYTES} then
    local ok
    ok, answer = pcall(one, {unpack(ARGV, at, at + size - 1)})
    if not ok then answer = {'fault', type(answer) == 'table' and answer.err or tostring(answer)} end
    if type(answer) == 'table' and type(answer[4]) == 'table' then
      for _, text in ipairs(answer[4]) do bytes = bytes + #(text or '') end
    end
  end
  answers[#answers + 1] = answer
end
return answers
`;
}

/** id, key, fingerprint, group, model, policy name, now, deadline, request, policy → new | known | reused, id, state, ticket. */
const SUBMIT = `${COMMON}
local key, now = ARGV[2], ARGV[7]
local known = id
if key ~= '' then known = call('GET', P .. ':k:' .. key) or id end
local was = call('HMGET', P .. ':j:' .. known, 'fingerprint', 'state', 'ticket')
if was[1] then
  if was[1] ~= ARGV[3] then return {'reused'} end
  return {'known', known, was[2], was[3]}
end
local seq = call('INCR', P .. ':seq')
call('HSET', J, 'id', id, 'seq', seq, 'key', key, 'fingerprint', ARGV[3], 'group', ARGV[4], 'state', 'accepted',
  'model', ARGV[5], 'policy', ARGV[6], 'createdAt', now, 'updatedAt', now, 'deadline', ARGV[8], 'due', now,
  'epoch', 0, 'attempts', 0, 'crashes', 0, 'ticket', id, 'rev', 1)
call('HSET', B, 'request', ARGV[9], 'policy', ARGV[10])
if key ~= '' then call('SET', P .. ':k:' .. key, id) end
if ARGV[4] ~= '' then call('ZADD', P .. ':g:' .. ARGV[4], seq, id) end
call('ZADD', P .. ':all', seq, id)
call('ZADD', P .. ':s:accepted', seq, id)
call('ZADD', P .. ':due', now, id)
call('PUBLISH', P .. ':changes', id)
return {'new', id, 'accepted', id}
`;

/**
 * id, ticket, nonce, now, crashes until poison, first crash delay, suspect from, is the worker's one suspect
 * → gone | early, due | poison, epoch, job | suspect | run, epoch, job, body.
 * A job that was running belonged to a worker that is gone: a crash. With the same nonce it is the same delivery, asked for again
 * because the connection broke before the answer came.
 * A suspect is not touched until its worker has room for it and asks again: a worker that dies of another job in between must not
 * count against this one. So a suspect that is `running` did run as the one suspect of its worker.
 */
const TAKE = `${COMMON}
local now = tonumber(ARGV[4])
local job = call('HMGET', J, 'state', 'ticket', 'due', 'epoch', 'crashes', 'seq', 'nonce', 'rev')
local state, epoch, crashes, seq = job[1], tonumber(job[4]), tonumber(job[5]), job[6]
if not state or job[2] ~= ARGV[2] then return {'gone'} end
if state ~= 'accepted' and state ~= 'waiting' and state ~= 'running' then return {'gone'} end
if state ~= 'running' and tonumber(job[3]) > now then return {'early', job[3]} end
local isAgain = state == 'running' and job[7] == ARGV[3]
if not isAgain then
  if state == 'running' then
    crashes = crashes + 1
    if crashes >= tonumber(ARGV[5]) then return {'poison', epoch, read()} end
    if crashes > tonumber(ARGV[7]) and tonumber(ARGV[6]) > 0 then
      local due = now + math.min(tonumber(ARGV[6]) * 2 ^ (crashes - tonumber(ARGV[7]) - 1), 60000)
      local to = rest()
      call('HSET', J, 'state', to, 'crashes', crashes, 'due', due, 'epoch', epoch + 1, 'updatedAt', now)
      call('ZADD', P .. ':due', due, id)
      move(seq, 'running', to)
      tell()
      return {'early', tostring(due)}
    end
  end
  if crashes >= tonumber(ARGV[7]) and ARGV[8] ~= '1' then return {'suspect'} end
  epoch = epoch + 1
  call('HSET', J, 'state', 'running', 'epoch', epoch, 'crashes', crashes, 'nonce', ARGV[3], 'updatedAt', now, 'rev', job[8] + 1)
  call('ZREM', P .. ':due', id)
  if state ~= 'running' then move(seq, state, 'running') end
  call('PUBLISH', P .. ':changes', id)
end
return {'run', epoch, read(), call('HMGET', B, ${names(BODY_FIELDS)})}
`;

/**
 * id, epoch, state, now, attempts, failure, receipt, result, saved, until, is poison, crashes → 1: committed, now or before.
 * B6: only the latest delivery of a job that runs can commit.
 */
const COMMIT = `${COMMON}
local job = call('HMGET', J, 'state', 'epoch', 'seq', 'rev', 'failure', 'retryNow')
local to, now = ARGV[3], ARGV[4]
if not job[1] or job[2] ~= ARGV[2] then return 0 end
if job[1] == to then return 1 end
if job[1] ~= 'running' then return 0 end
-- A job that has waited has a failure, and where it goes on.
if job[5] or job[6] then
  call('HDEL', J, 'retryNow', 'failure')
  call('HDEL', B, 'saved')
end
if ARGV[6] ~= '' then call('HSET', J, 'failure', ARGV[6]) end
local isWait = to == 'waiting'
call('HSET', J, 'state', to, 'attempts', ARGV[5], 'receipt', ARGV[7], 'updatedAt', now, 'crashes', ARGV[12], 'rev', job[4] + 1,
  isWait and 'due' or 'finishedAt', isWait and ARGV[10] or now)
if isWait then
  call('HSET', B, 'saved', ARGV[9])
  call('ZADD', P .. ':due', ARGV[10], id)
else
  call('ZADD', P .. ':ended', now, id)
  if ARGV[8] ~= '' then call('HSET', B, 'result', ARGV[8]) end
  if ARGV[11] == '1' then call('ZADD', P .. ':poison', job[3], id) end
end
move(job[3], 'running', to)
call('PUBLISH', P .. ':changes', id)
return 1
`;

/** id, epoch, now: the worker stops; another one goes on from the last wait. */
const RELEASE = `${COMMON}
local job = call('HMGET', J, 'state', 'epoch', 'seq')
if job[1] ~= 'running' or job[2] ~= ARGV[2] then return 0 end
local to = rest()
call('HSET', J, 'state', to, 'due', ARGV[3], 'updatedAt', ARGV[3], 'epoch', tonumber(job[2]) + 1)
call('ZADD', P .. ':due', ARGV[3], id)
move(job[3], 'running', to)
tell()
return 1
`;

/** id, rev, now, receipt → -1: it has changed, ask again; 0: it is final; 1: cancelled. */
const CANCEL = `${COMMON}
local job = call('HMGET', J, 'state', 'rev', 'seq', 'epoch')
if job[1] ~= 'accepted' and job[1] ~= 'waiting' and job[1] ~= 'running' then return 0 end
if job[2] ~= ARGV[2] then return -1 end
call('HSET', J, 'state', 'cancelled', 'finishedAt', ARGV[3], 'updatedAt', ARGV[3], 'receipt', ARGV[4],
  'epoch', tonumber(job[4]) + 1)
call('ZREM', P .. ':due', id)
call('ZADD', P .. ':ended', ARGV[3], id)
move(job[3], job[1], 'cancelled')
call('PUBLISH', P .. ':cancelled', id)
tell()
return 1
`;

/** id, now → 0 | waiting, ticket | again, ticket. One that starts anew gets a new ticket: the old one may not be gone yet. */
const RETRY = `${COMMON}
local job = call('HMGET', J, 'state', 'seq', 'epoch', 'ticket')
if job[1] == 'waiting' then
  call('HSET', J, 'due', ARGV[2], 'retryNow', 1, 'updatedAt', ARGV[2])
  call('ZADD', P .. ':due', ARGV[2], id)
  tell()
  return {'waiting', job[4]}
end
if job[1] ~= 'failed' and job[1] ~= 'cancelled' then return {'no'} end
local epoch = tonumber(job[3]) + 1
local ticket = id .. '~' .. epoch
call('HDEL', J, 'failure', 'receipt', 'finishedAt', 'retryNow', 'nonce')
call('HDEL', B, 'saved', 'result')
call('HSET', J, 'state', 'accepted', 'due', ARGV[2], 'updatedAt', ARGV[2], 'epoch', epoch, 'attempts', 0, 'crashes', 0,
  'ticket', ticket)
call('ZREM', P .. ':ended', id)
call('ZREM', P .. ':poison', id)
call('ZADD', P .. ':due', ARGV[2], id)
move(job[2], job[1], 'accepted')
tell()
return {'again', ticket}
`;

/** (none), final before, limit: deletes what was kept long enough. Returns how many. */
const SWEEP = `
local P = KEYS[1]
local call = redis.call
local gone = call('ZRANGEBYSCORE', P .. ':ended', '-inf', ARGV[2], 'LIMIT', 0, ARGV[3])
for _, id in ipairs(gone) do
  local J = P .. ':j:' .. id
  local job = call('HMGET', J, 'state', 'key', 'group')
  if job[2] and job[2] ~= '' then call('DEL', P .. ':k:' .. job[2]) end
  if job[3] and job[3] ~= '' then call('ZREM', P .. ':g:' .. job[3], id) end
  if job[1] then call('ZREM', P .. ':s:' .. job[1], id) end
  call('ZREM', P .. ':all', id)
  call('ZREM', P .. ':ended', id)
  call('ZREM', P .. ':poison', id)
  call('DEL', J, P .. ':b:' .. id)
end
return #gone
`;

/**
 * (none), due before, now, queue, offset, limit → how many were looked at, then tickets that are to be added or promoted. A job whose
 * ticket is lost, because a process died between two steps or somebody emptied the queue, would never be delivered.
 */
const REPAIR = `
local P = KEYS[1]
local call = redis.call
local late = call('ZRANGEBYSCORE', P .. ':due', '-inf', ARGV[2], 'LIMIT', ARGV[5], ARGV[6])
local found = {#late}
for _, id in ipairs(late) do
  local ticket = call('HGET', P .. ':j:' .. id, 'ticket')
  if not ticket then
    call('ZREM', P .. ':due', id)
  elseif call('EXISTS', ARGV[4] .. ':' .. ticket) == 0 then
    found[#found + 1] = ticket
  elseif call('ZSCORE', ARGV[4] .. ':delayed', ticket) then
    found[#found + 1] = ticket
  end
end
if ARGV[5] ~= '0' then return found end
for _, id in ipairs(call('ZRANGE', P .. ':s:running', 0, ARGV[6])) do
  local J = P .. ':j:' .. id
  local job = call('HMGET', J, 'ticket', 'seq', 'epoch')
  if job[1] and call('EXISTS', ARGV[4] .. ':' .. job[1]) == 0 then
    local to = 'accepted'
    if call('HEXISTS', P .. ':b:' .. id, 'saved') == 1 then to = 'waiting' end
    call('HSET', J, 'state', to, 'due', ARGV[3], 'updatedAt', ARGV[3], 'epoch', tonumber(job[3]) + 1)
    call('HINCRBY', J, 'rev', 1)
    call('ZREM', P .. ':s:running', id)
    call('ZADD', P .. ':s:' .. to, job[2], id)
    call('ZADD', P .. ':due', ARGV[3], id)
    call('PUBLISH', P .. ':changes', id)
    found[#found + 1] = job[1]
  end
end
return found
`;

/** (none), queue → how many running jobs of the oldest 1000 have no worker that shows life. */
const STALLED = `
local P = KEYS[1]
local count = 0
for _, id in ipairs(redis.call('ZRANGE', P .. ':s:running', 0, 999)) do
  local ticket = redis.call('HGET', P .. ':j:' .. id, 'ticket')
  if ticket and redis.call('EXISTS', ARGV[2] .. ':' .. ticket .. ':lock') == 0 then count = count + 1 end
end
return count
`;

export const SCRIPTS = {
  submit: forMany(SUBMIT),
  take: forMany(TAKE),
  commit: forMany(COMMIT),
  release: RELEASE,
  cancel: CANCEL,
  retry: RETRY,
  sweep: SWEEP,
  repair: REPAIR,
  stalled: STALLED,
} as const;

/** Scripts that take many jobs at once. */
export const FOR_MANY: ReadonlySet<keyof typeof SCRIPTS> = new Set(["submit", "take", "commit"]);

function names(fields: readonly string[]): string {
  return fields.map((field) => `'${field}'`).join(", ");
}
