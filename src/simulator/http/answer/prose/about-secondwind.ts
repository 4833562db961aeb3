/** What the simulated model knows about Secondwind and itself. */

export const SELF = `I am a **simulated model**. I run on your machine, cost nothing, and fail the way real providers do. I'm here so that you can watch **Secondwind** work without an API key.

Secondwind sits between a program and an LLM provider. When a call is rate limited, overloaded, cut off or lost, it finds out what went wrong and does what helps:

- it **waits** as long as the provider asks, or with growing pauses;
- it **switches** to another key or model when waiting is no use;
- it **stops** at once when no retry could help, with one clear error.

At the end you get one answer, or one error, and a receipt of everything in between.`;

export const DOORS = `## Ways to use Secondwind

| you want to | use |
| --- | --- |
| make calls in your own app reliable | \`resilient(call)\` from the library |
| chat in the browser | \`secondwind serve\` |
| chat in the terminal | \`secondwind chat\`, or \`console\` over ssh |
| ask one question from a script | \`secondwind ask "Why is the sky blue?"\` |
| drive an agent from another program | \`secondwind rpc\`, JSON lines on stdin and stdout |
| create embeddings for many texts | \`secondwind embed\` |
| retry generations in SillyTavern | the SillyTavern script |
| understand an error | \`secondwind why\` |
| see what a policy does in an outage | \`secondwind lab\` |

All of them share one engine, so a rate limit is treated the same everywhere.`;

export const PRESETS = `## Policies, side by side

| preset | waits | gives up after |
| --- | --- | --- |
| default | up to 1 s, 2 s, 4 s… at most 12 s, with jitter | 5 minutes of waiting |
| session | 2 s, 4 s, 8 s | 3 retries |
| patient | 5 s, 10 s, 30 s, 60 s, 5 min… | 8 hours |
| console | 1 s, 1 s, 2 s, 3 s, 5 s | never |
| background | up to 2 s, 4 s, 8 s… with jitter | 30 minutes of waiting |

A preset is plain data. Change any field, and the engine checks the result before it is used.`;

export const CODE = `Here is a call that survives rate limits, overloads and dropped connections:

\`\`\`ts
import OpenAI from "openai";
import { resilient } from "secondwind";

const client = new OpenAI({ maxRetries: 0 }); // Secondwind retries instead.
const ask = resilient(({ signal }, input: string) =>
  client.responses.create({ model: "gpt-5.4", input }, { signal }),
);

const answer = await ask("Why is the sky blue?");
console.log(answer.output_text);
\`\`\`

The wrapped call takes the same arguments and returns the same result. Pass the \`signal\` on, so that an attempt that is given up really ends.`;

export const LIST = `What Secondwind does for a call, in order:

1. Sends it, and watches the answer until the provider's own final event.
2. Classifies what went wrong: by status, code and headers first, by the message last.
3. Decides: wait, change the key, change the model, shorten, or stop.
4. Shows the wait with a countdown, which you can end early.
5. Stops repeating once you have seen the first word.
6. Writes a receipt: every attempt, every wait, complete or not.`;

export const WEATHER = `The **weather** decides how I behave:

- **Calm** – every call is answered.
- **Drizzle** – about one call in four is rate limited or overloaded.
- **Storm** – short outages, resets, answers that break off in the middle.
- **Quota** – each of the two keys runs dry after a few answers.

Models whose name is a behaviour ignore it: \`sim/overloaded-twice\` fails twice and then answers, \`sim/cut-12\` breaks off after twelve words.`;

export const GREETINGS: readonly string[] = [
  `Hello! I am a simulated model, and this is **Secondwind**: it gets LLM calls through rate limits, overloads and broken connections.

A few things to try:

- *Explain exponential backoff*
- *Write a haiku about a 503*
- *Show me some code*
- *What just happened?*`,
  `Hello! No key is needed to talk to me: I'm a simulated model inside **Secondwind**, on your own machine.

I know a little about what can go wrong between a program and a provider. Ask about *retries*, *backoff*, *rate limits*, *quota*, *circuit breakers* or *streaming*, or ask *what just happened?*`,
];

export const THANKS: readonly string[] = [
  "You're welcome. If you'd like to see more of it, make the weather worse and ask again.",
  "Glad it helped. *What just happened?* shows how your question got here.",
];

/** The question of the README. */
export const SKY = `Because air scatters blue light far more than red: the strength grows with 1/λ⁴, so blue is scattered about four times as much. It reaches your eye from all over the sky, while red goes straight on. At sunset the way through the air is so long that mostly red is left.

That is the one thing I know about physics: I'm a **simulated model**. I know more about *retries*, *backoff*, *rate limits* and *streaming*.`;

/** An honest answer to everything else. `QUESTION` is replaced. */
export const UNKNOWN: readonly string[] = [
  `I can't answer QUESTION: I'm a **simulated model**, made to fail like a real one, not to know things. With an API key, a real model would answer here (\`secondwind keys add anthropic\`).

What I can talk about is how your question got to me: *retries*, *backoff*, *rate limits*, *quota*, *streaming*, or *what just happened?*`,
  `A real model would have an opinion on QUESTION. I'm a **simulated** one: I cost nothing, run on your machine, and show what happens between a question and its answer.

Ask me about *backoff*, *jitter*, *rate limits*, *circuit breakers* or *Secondwind* itself. To get real answers, add a key: \`secondwind keys add anthropic\`.`,
];
