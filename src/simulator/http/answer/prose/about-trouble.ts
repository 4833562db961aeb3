/** What the simulated model knows about failures. Facts about Secondwind are those of its docs. */

export const BACKOFF = `## Exponential backoff

After a failed call, wait before you ask again, and double the wait each time: 1 s, 2 s, 4 s, 8 s… A short hiccup costs you one second. In a long outage you ask less and less often, so the server gets room to recover.

Three details make it work:

1. **A cap.** Without one, the eleventh wait is already 17 minutes.
2. **Jitter.** Draw the wait at random between zero and the doubled delay, or all clients come back in step.
3. **An end.** Stop after a number of tries or a total waiting time, with one clear error.

\`\`\`ts
const delayMs = Math.random() * Math.min(12_000, 1000 * 2 ** retry);
\`\`\`

That line is Secondwind's default policy: full jitter, capped at 12 s, for five minutes of waiting in all.`;

export const JITTER = `## Jitter

Imagine a thousand clients that all fail at 12:00:00 and all wait exactly two seconds. At 12:00:02 they return together, and the server goes down again. **Jitter** adds chance to the wait, so the same thousand calls arrive spread out.

| kind | wait before retry *n* |
| --- | --- |
| none | 2ⁿ seconds, for everyone the same |
| equal | half of that, plus up to as much again |
| full | anything between 0 and 2ⁿ seconds |
| decorrelated | between the base and three times the last wait |

Secondwind uses full jitter by default. A hint from the server, such as \`retry-after: 20\`, comes first: it knows best when to come back.`;

export const RATE_LIMIT = `## Rate limits

\`HTTP 429\` means: this key has sent too much in too short a time. The call was refused before any work was done, so it is safe to send it again, just not at once.

- If the response says when to come back (\`retry-after\`, or a reset time in its headers), Secondwind waits exactly that long.
- If it doesn't, it backs off with growing waits.
- If another key or model is free and the wait is long, the policy may go there instead.
- If the request alone is over the limit (*limit 7000, requested 12903*), no wait helps, and it says so at once.

A used-up quota also arrives as 429 at some providers. That is a different thing: it does not pass in a minute.`;

export const QUOTA = `## Quota is not a rate limit

A **rate limit** passes by itself, usually within a minute. A used-up **quota** or an empty balance does not: you need more credit, another key, or next month.

The two often look alike, down to the status code. Secondwind reads the code, the headers and the message, and then:

1. changes to another key of the same provider, if there is one;
2. otherwise to the next model of the fallback chain;
3. otherwise ends with one clear error, instead of asking in vain for hours. The patient policy of the server keeps asking, at growing intervals.

The key that ran dry rests for a while, so the next question doesn't try it first.`;

export const BREAKER = `## Circuit breaker

When a provider keeps failing, more calls only make it worse. A circuit breaker counts failures, and then stops the calls for a while:

- **closed**: calls go through, failures are counted;
- **open**: calls wait, the provider gets a rest;
- **half-open**: *one* call probes. If it is answered, calls return a few at a time; if not, the rest is longer.

In Secondwind all generations of a process share the breaker, so a thousand waiting questions send one probe, not a thousand.`;

export const STREAMING = `## Streams, and the point of no return

A streamed answer can fail in ways a whole one can't: it may never begin, stop in the middle, or end without its closing event, which many clients take for a complete answer.

- **Before the first word** reached you, a failed call can be repeated, and you only notice a pause.
- **After it**, a repeat would show you the same text twice, or a different one. So Secondwind stops, keeps what you have, and says that the answer is cut off. Then *Try again* is your decision.

The border between the two is called the **commit point**. An answer counts as complete only if the provider's own final event has arrived.`;

export const OUTAGE = `## When the provider is down

| status | meaning | does waiting help? |
| --- | --- | --- |
| 500 | the server failed on this request | often, but the same error twice is a bad sign |
| 502, 504 | something in between gave up | usually |
| 503 | the service is not available now | yes |
| 529 | overloaded: up, but with too much work | yes |

These calls did no harm and can be repeated. Secondwind waits longer each time, so an outage of an hour costs a few dozen calls, not thousands. You can end a wait at any time with *Retry now*, or give up.`;

export const RETRIES = `## Retries

A retry helps only if the next call can end differently. So the first question is always *what went wrong*:

- **Worth repeating:** rate limits, overloads, 5xx errors, broken connections, streams that never began.
- **Not worth it:** a wrong key, an invalid request, a model that doesn't exist, a safety filter. The same call fails the same way.
- **Somewhere else:** a used-up quota. Another key or another model may answer at once.
- **Shorter:** a conversation that is too long is compacted, then sent again.

Then comes *when*: after the time the server asked for, or with growing waits. And *how often*: until patience, a budget or a number of tries runs out. The receipt below an answer lists every attempt.`;

export const HAIKU_OUTAGE = `> The door stays shut now.
> Service unavailable.
> I knock, wait, and knock.`;

export const HAIKU_LIMIT = `> Too many requests.
> Count to thirty, breathe, and ask:
> the gate swings open.`;

export const HAIKU_SILENCE = `> Words came, then silence.
> I hold the line a little,
> then I call again.`;
