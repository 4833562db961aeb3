/**
 * Learns how many calls per second a limit accepts, from acceptances and refusals alone. From one moment at which it is used up to
 * the next, a limit accepts exactly what it allows: calls accepted ÷ time is the limit, whether it counts in windows or fills a
 * bucket. A moment at which it is used up is called a hit.
 */
export interface RateLearner {
  /** Infinity: no limit is known. */
  readonly perSecond: number;
  /** What the limit was measured as. */
  readonly ceiling: number;
  /** When calls could start again after the last hit; before the first one, when the first call was accepted. NaN: none was. */
  readonly sinceMs: number;
  /** Calls accepted since then. */
  readonly accepted: number;
  /** What was accepted from hit to hit, added up; older hits count less. */
  readonly sum: Accepted;
  /** From the first call to the first hit. A bucket was full at its beginning, so this is no more than a first guess. */
  readonly first: { readonly sinceMs: number; readonly accepted: number } | undefined;
  /** Refusals in a row, */
  readonly inRow: number;
  /** of calls that started since then. */
  readonly rowMs: number;
  /** Calls that started before this belong to the last hit. */
  readonly hitUntilMs: number;
  /** Hits in a row with no call accepted between them: without a hint each pause is longer. */
  readonly hits: number;
  /** Ended calls that are judged together, how many of them were refused, and how many of those alone. */
  readonly ended: number;
  readonly refused: number;
  readonly alone: number;
  /** Hits in a row that a well-known limit would not have had. */
  readonly surprises: number;
  /** The share of calls that is refused whatever the rate. */
  readonly noise: number;
}

interface Accepted {
  readonly calls: number;
  readonly seconds: number;
}

export const UNLIMITED: RateLearner = Object.freeze({
  perSecond: Number.POSITIVE_INFINITY,
  ceiling: Number.POSITIVE_INFINITY,
  sinceMs: Number.NaN,
  accepted: 0,
  sum: Object.freeze({ calls: 0, seconds: 0 }),
  first: undefined,
  inRow: 0,
  rowMs: 0,
  hitUntilMs: Number.NEGATIVE_INFINITY,
  hits: 0,
  ended: 0,
  refused: 0,
  alone: 0,
  surprises: 0,
  noise: 0,
});

/** A measured limit is used up to this share. */
const SHARE = 0.98;
/** What each answer adds: 2 % in two hundred answers, so that about one call in two hundred finds the limit. */
const CAREFUL = 0.0001;
/** A limit that rests on few calls is a guess: with ten, half a percent for each answer. */
const GUESS = 0.05;
const HASTY = 0.02;
/** So far above the last limit it no longer counts: a fifth in a hundred answers, */
const ABOVE = 1.04;
const BOLD = 0.002;
/** and far above it, no limit is known. */
const FORGET = 2;
/** A hit takes away at least this, and at most half. */
const LEAST_CUT = 0.97;
const MOST_CUT = 0.5;
/** A call that is refused alone takes this much away, down to a share of the measured limit at which none would be refused. */
const ALONE_CUT = 0.98;
const FLOOR = 0.85;
const ENOUGH = 20;
/** So many calls of earlier hits are remembered, so that a limit that changes is followed. */
const MOST_SUMMED = 300;
/** The first guess counts as one of so many times its calls. */
const FIRST_TRUST = 0.1;
/** Less than a call a minute is never learned: nothing gets stuck. */
const LEAST_PER_SECOND = 1 / 60;
/** So many ended calls are judged together, */
const PERIOD = 100;
/** and this share of them, refused alone, is more than a limit that is kept does. */
const NOISY = 0.04;
const SURE = 4;
/** A limit that was measured with so many calls is well known, and lasts for more than a few. */
const WELL_KNOWN = 50;
const FEW = 60;
const MOST_SURPRISES = 2;
/** Refusals in a row are a hit if chance would do that less often than once in five hundred. */
const CHANCE = Math.log(0.002);
const LEAST_NOISE = 0.04;
const MOST_NOISE = 0.5;
/** Without a hint. */
const FIRST_PAUSE_MS = 1000;
const MOST_PAUSE_MS = 10_000;

/** The endpoint has accepted a call that started then. */
export function rateAfterAcceptance(rate: RateLearner, startedMs: number, nowMs: number): RateLearner {
  const isRowOver = rate.inRow > 0 && startedMs >= rate.rowMs;
  // Of calls from before the last hit, the limit that was used up then has accepted them.
  const isCounted = startedMs >= rate.hitUntilMs;
  return {
    ...rate,
    ...(isRowOver && { inRow: 0 }),
    ...(isCounted && { accepted: rate.accepted + 1 }),
    sinceMs: Number.isNaN(rate.sinceMs) ? nowMs : rate.sinceMs,
  };
}

/** `isFelt`: calls had to wait for this rate. One that is not felt does not grow. */
export function rateAfterAnswer(rate: RateLearner, isFelt: boolean): RateLearner {
  const counted = { ...rate, ended: rate.ended + 1 };
  return judged(isFelt ? { ...counted, ...grown(rate) } : counted);
}

function grown({ perSecond, ceiling, sum, first, accepted }: RateLearner): Pick<RateLearner, "perSecond" | "ceiling"> {
  if (perSecond > ceiling * FORGET) return { perSecond: Number.POSITIVE_INFINITY, ceiling: Number.POSITIVE_INFINITY };
  const trust = Math.max(1, sum.calls + accepted + (first?.accepted ?? 0) * FIRST_TRUST);
  const careful = Math.min(HASTY, Math.max(CAREFUL, GUESS / trust));
  return { perSecond: perSecond * (1 + (perSecond > ceiling * ABOVE ? Math.max(BOLD, careful) : careful)), ceiling };
}

interface RefusedCall {
  readonly startedMs: number;
  readonly hintMs: number | undefined;
  readonly nowMs: number;
}

interface Learned {
  readonly rate: RateLearner;
  /** How long calls pause: the limit is used up. 0: they go on. */
  readonly pauseMs: number;
}

export function rateAfterRefusal(rate: RateLearner, { startedMs, hintMs, nowMs }: RefusedCall): Learned {
  // It was on its way when the limit was hit: the same hit.
  if (startedMs < rate.hitUntilMs) return { rate, pauseMs: 0 };
  const inRow = rate.inRow + 1;
  const rowMs = rate.inRow === 0 ? startedMs : Math.min(rate.rowMs, startedMs);
  // Nothing was accepted since the last hit: it is still the same one, and lasts longer than we paused.
  const isSame = rate.first !== undefined && rate.accepted === 0;
  if (!isSame && inRow < rowOf(rate.noise)) {
    const counted = { ended: rate.ended + 1, refused: rate.refused + 1, alone: rate.alone + 1 };
    return { rate: judged({ ...rate, ...counted, inRow, rowMs, ...refusedAlone(rate, nowMs) }), pauseMs: 0 };
  }
  const hits = isSame ? rate.hits + 1 : 0;
  const pauseMs = hintMs ?? Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** hits);
  const resumeMs = nowMs + pauseMs;
  const counted = { ended: rate.ended + 1, refused: rate.refused + 1 };
  const surprises = isSame ? rate.surprises : isSurprise(rate) ? rate.surprises + 1 : 0;
  if (surprises >= MOST_SURPRISES) return { rate: unlimited({ ...rate, ...counted }), pauseMs: 0 };
  const fresh = { sinceMs: resumeMs, hitUntilMs: resumeMs, accepted: 0, inRow: 0, hits, surprises };
  // Those of this row were not alone after all.
  const alone = Math.max(0, rate.alone - rate.inRow);
  return { rate: { ...rate, ...measured(rate, resumeMs, isSame), ...fresh, ...counted, alone }, pauseMs };
}

/** A limit that is well known and kept is not used up after so few calls: chance did it. */
function isSurprise({ sum, accepted, perSecond, ceiling }: RateLearner): boolean {
  return sum.calls >= WELL_KNOWN && accepted < FEW && perSecond <= ceiling;
}

/** What was taken for a limit is noise. */
function unlimited({ ended, refused, noise, hitUntilMs }: RateLearner): RateLearner {
  return {
    ...UNLIMITED,
    hitUntilMs,
    noise: Math.min(MOST_NOISE, Math.max(noise, NOISY, refused / Math.max(1, ended))),
  };
}

/** A little too fast, or chance: a little slower, and down to what was accepted meanwhile, if that is known. */
function refusedAlone(rate: RateLearner, nowMs: number): Pick<RateLearner, "perSecond" | "ceiling"> {
  const { perSecond, accepted } = rate;
  if (perSecond === Number.POSITIVE_INFINITY) return { perSecond, ceiling: rate.ceiling };
  const seen = accepted < ENOUGH ? perSecond : ratio(summed(rate, nowMs));
  const ceiling = Math.min(rate.ceiling, Math.max(seen, rate.ceiling * MOST_CUT));
  return {
    ceiling,
    perSecond: Math.max(LEAST_PER_SECOND, ceiling * FLOOR, Math.min(perSecond * ALONE_CUT, ceiling * SHARE)),
  };
}

/** What was accepted since the last hit and before it. */
function summed({ sum, sinceMs, accepted }: RateLearner, untilMs: number): Accepted {
  const kept = Math.min(1, MOST_SUMMED / Math.max(1, sum.calls));
  return { calls: sum.calls * kept + accepted, seconds: sum.seconds * kept + since(sinceMs, untilMs) };
}

/** How many refusals in a row are no chance. */
function rowOf(noise: number): number {
  return Math.max(2, Math.ceil(CHANCE / Math.log(Math.max(LEAST_NOISE, Math.min(MOST_NOISE, noise)))));
}

type Found = Pick<RateLearner, "perSecond" | "ceiling" | "sum" | "first">;

function measured(rate: RateLearner, resumeMs: number, isSame: boolean): Found {
  const { perSecond, sinceMs, accepted, sum } = rate;
  // The same hit goes on: it began earlier, and what was accepted before it belongs to a longer time.
  if (isSame) {
    const longer = { calls: sum.calls, seconds: sum.seconds + (resumeMs - sinceMs) / 1000 };
    const first = rate.first ?? { sinceMs, accepted };
    const seen =
      sum.calls > 0 ? ratio(longer) : ratio({ calls: first.accepted, seconds: since(first.sinceMs, resumeMs) });
    return { ...cut(perSecond, seen, 1), sum: sum.calls > 0 ? longer : sum, first };
  }
  if (rate.first === undefined) {
    const seen = ratio({ calls: accepted, seconds: since(sinceMs, resumeMs) });
    return { ...cut(perSecond, seen, 1), sum, first: { sinceMs, accepted } };
  }
  const next = summed(rate, resumeMs);
  return { ...cut(perSecond, ratio(next), LEAST_CUT), sum: next, first: rate.first };
}

function cut(perSecond: number, seen: number, least: number): Pick<RateLearner, "perSecond" | "ceiling"> {
  const isKnown = perSecond !== Number.POSITIVE_INFINITY;
  const ceiling = Math.max(
    LEAST_PER_SECOND,
    isKnown ? Math.min(perSecond, Math.max(seen, perSecond * MOST_CUT)) : seen,
  );
  return { ceiling, perSecond: Math.max(LEAST_PER_SECOND, Math.min(perSecond * least, ceiling * SHARE)) };
}

/** Now and then calls are refused although nothing is used up. Where a rate at which no call would be refused does not help, they are noise. */
function judged(rate: RateLearner): RateLearner {
  const isAtFloor = rate.perSecond <= rate.ceiling * (FLOOR + 0.01);
  const share = rate.alone / Math.max(1, rate.ended);
  if (isAtFloor && rate.alone >= SURE && share >= NOISY) {
    return unlimited(rate);
  }
  if (rate.ended < PERIOD) return rate;
  const isUnlimited = rate.perSecond === Number.POSITIVE_INFINITY;
  return { ...rate, ended: 0, refused: 0, alone: 0, noise: isUnlimited ? share : Math.min(rate.noise, share) };
}

function since(fromMs: number, toMs: number): number {
  return Number.isNaN(fromMs) ? 0 : (toMs - fromMs) / 1000;
}

function ratio({ calls, seconds }: Accepted): number {
  return Math.max(1, calls) / Math.max(0.001, seconds);
}
