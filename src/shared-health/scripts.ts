/** Redis's own clock, in ms: the one that all processes share. */
const NOW = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Removes facts that are over, and whatever is no fact. */
const SWEEP = `
local function sweep()
  local all = redis.call("HGETALL", KEYS[1])
  local left = {}
  for at = 1, #all, 2 do
    local ok, fact = pcall(cjson.decode, all[at + 1])
    if ok and type(fact) == "table" and type(fact[4]) == "number" and fact[4] > now then
      left[#left + 1] = all[at + 1]
    else
      redis.call("HDEL", KEYS[1], all[at])
    end
  end
  return left
end
`;

/**
 * Keeps each fact if it is greater than the known one, and publishes the message. KEYS: the facts. ARGV: the channel, the message, then
 * epoch, rank and text of each fact by its key. Returns the time.
 */
export const TELL = `${NOW}${SWEEP}
for at = 3, #ARGV, 4 do
  local key, epoch, rank, text = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), ARGV[at + 3]
  local known = redis.call("HGET", KEYS[1], key)
  local ok, fact = pcall(cjson.decode, known or "")
  local isKnown = ok and type(fact) == "table" and type(fact[2]) == "number" and type(fact[3]) == "number"
  if not isKnown or epoch > fact[2] or (epoch == fact[2] and (rank > fact[3] or (rank == fact[3] and text > known))) then
    redis.call("HSET", KEYS[1], key, text)
  end
end
if #ARGV > 2 then
  redis.call("PEXPIRE", KEYS[1], 2764800000)
  if redis.call("HLEN", KEYS[1]) > 500 then sweep() end
end
redis.call("PUBLISH", ARGV[1], ARGV[2])
return now
`;

/** KEYS: the facts. Returns the time, then every fact. */
export const READ = `${NOW}${SWEEP}
local left = sweep()
table.insert(left, 1, now)
return left
`;

/**
 * The lease of a probe. KEYS: the lease. ARGV: the stamp of the breaker's state, who asks, for how long in ms. Returns 1 for one of all who
 * ask for the same state, and 0 for the others and for those who ask for an older one.
 */
export const CLAIM = `
local known = tonumber(string.match(redis.call("GET", KEYS[1]) or "", "^%d+"))
local stamp = tonumber(ARGV[1])
if known and known >= stamp then return 0 end
redis.call("SET", KEYS[1], ARGV[1] .. " " .. ARGV[2], "PX", ARGV[3])
return 1
`;
