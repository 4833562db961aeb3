import { LONGEST_CRASH_DELAY_MS, SUSPECT_FROM } from "../endings.ts";
import { LONGEST_PAUSE_MS } from "./reconnect.ts";

/** What a worker gets in one call: Redis has it all in its memory at once, and serves nobody else. */
const MOST_ANSWER_BYTES = 1_000_000;
/** Leases of dead workers that one call looks at. */
const LAPSED_AT_ONCE = 100;
/** An entry that cannot be read must not stand in front of the others. */
const BROKEN_AWAY_MS = 60_000;
/** Waits that a worker whose clock is behind passes over in one call, to find new jobs among them. */
const AHEAD_AT_ONCE = 100;
const TAKEN_KEPT_MS = 3_600_000;
/**
 * No worker was heard of for long: Redis was away, or its clock has jumped. Those that are alive come back within this time, or within a
 * third of the lease, and renew their leases. Until then none of them counts as over.
 */
const REUNION_MS = LONGEST_PAUSE_MS + 500;

/**
 * nonce, worker, now, limit, lease in ms, crashes until poison, first crash delay, takes a suspect
 * → for each job: run, epoch, job, body | poison, epoch, job.
 *
 * With the nonce of the last call it returns what that call took: the connection broke before the answer came.
 * A lease that is over belonged to a worker that is gone: a crash. The job is put back first and then taken like any other; at most one
 * suspect, and only if the worker has room for it. A suspect that waits for its turn is not touched: a worker that dies of another job
 * must not count against it.
 */
export function takeScript(common: string, jobFields: string, bodyFields: string): string {
  return `${common}
local nonce, worker = ARGV[1], ARGV[2]
local now, limit, leaseMs = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local poisonAfter, crashDelayMs = tonumber(ARGV[6]), tonumber(ARGV[7])
local T = P .. ':taken:' .. worker
local clock, since = beat(leaseMs)
local look = math.max(now, clock)
local answers, taken, bytes = {}, {nonce}, 0

local function bodyOf(id)
  local body = call('HMGET', P .. ':b:' .. id, ${bodyFields})
  for at = 1, #body do bytes = bytes + #(body[at] or '') end
  return body
end

local function lapse(id)
  local J = P .. ':j:' .. id
  local job = call('HMGET', J, 'state', 'epoch', 'crashes', 'seq')
  if job[1] ~= 'running' then return remove('leases', id) end
  local crashes = (job[3] or 0) + 1
  if crashes >= poisonAfter then
    -- This worker commits its end. If it is lost before that, the next one does.
    add('leases', clock + leaseMs, id)
    answers[#answers + 1] = {'poison', tonumber(job[2]), call('HMGET', J, ${jobFields})}
    return
  end
  local due = 0
  if crashes > ${SUSPECT_FROM} and crashDelayMs > 0 then
    due = look + math.min(crashDelayMs * 2 ^ (crashes - ${SUSPECT_FROM} - 1), ${LONGEST_CRASH_DELAY_MS})
  end
  putBack(id, job[4], job[2], crashes, due, now)
end

local function takeOne(index, id)
  local J = P .. ':j:' .. id
  local job = call('HMGET', J, ${jobFields})
  local state, epoch, seq = job[1], (job[2] or 0) + 1, job[3]
  if state ~= 'accepted' and state ~= 'waiting' then return remove(index, id) end
  local answer = {'run', epoch, job, bodyOf(id)}
  call('HSET', J, 'state', 'running', 'epoch', epoch, 'updatedAt', now)
  remove(index, id)
  add('leases', clock + leaseMs, id)
  move(id, seq, state, 'running')
  taken[#taken + 1] = id
  taken[#taken + 1] = epoch
  answers[#answers + 1] = answer
end

local function dueIn(index, from, to, most)
  return call('ZRANGEBYSCORE', P .. ':' .. index, from, to, 'LIMIT', 0, most)
end

local function tryOne(index, id)
  if not pcall(takeOne, index, id) then add(index, look + ${BROKEN_AWAY_MS}, id) end
end

local function isDueAtOnce(id)
  local job = call('HMGET', P .. ':j:' .. id, 'state', 'retryNow')
  return job[1] == 'accepted' or job[2]
end

-- Waits end by the worker's clock. What is due at once has a score by that of Redis, which may be ahead.
local function takeFrom(index, most)
  if most <= 0 then return end
  local full = #taken + 2 * most
  for _, id in ipairs(dueIn(index, '-inf', ARGV[3], most)) do
    if bytes >= ${MOST_ANSWER_BYTES} then return end
    tryOne(index, id)
  end
  if clock <= now then return end
  for _, id in ipairs(dueIn(index, '(' .. ARGV[3], clock, most + ${AHEAD_AT_ONCE})) do
    if bytes >= ${MOST_ANSWER_BYTES} or #taken >= full then return end
    local ok, isDue = pcall(isDueAtOnce, id)
    if isDue or not ok then tryOne(index, id) end
  end
end

local before = call('GET', T)
if before and string.sub(before, 1, #nonce + 1) == nonce .. ' ' then
  for id, epoch in string.gmatch(before, ' ([^ ]+) (%d+)') do
    local J = P .. ':j:' .. id
    local job = call('HMGET', J, 'state', 'epoch')
    if job[1] == 'running' and job[2] == epoch then
      add('leases', clock + leaseMs, id)
      answers[#answers + 1] = {'run', tonumber(epoch), call('HMGET', J, ${jobFields}), bodyOf(id)}
    end
  end
  apply()
  return answers
end

-- One that its worker gave up has the score 0.
local over = clock - since >= math.max(${REUNION_MS}, leaseMs / 3) and clock or 0
for _, id in ipairs(call('ZRANGEBYSCORE', P .. ':leases', '-inf', over, 'LIMIT', 0, ${LAPSED_AT_ONCE})) do
  if not pcall(lapse, id) then add('leases', clock + ${BROKEN_AWAY_MS}, id) end
end
apply()
if ARGV[8] == '1' then takeFrom('suspects', 1) end
takeFrom('due', limit - (#taken - 1) / 2)
if #taken > 1 then
  call('SET', T, table.concat(taken, ' '), 'PX', ${TAKEN_KEPT_MS})
elseif before then
  call('DEL', T)
end
apply()
-- What is left is for another worker. One that took nothing must not ring for waits that are not over by its own clock.
if #dueIn('due', '-inf', #taken > 1 and look or now, 1) > 0 then ring() end
return answers
`;
}
