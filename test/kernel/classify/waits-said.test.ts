import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";

const limited = (body: unknown) => classify({ status: 429, body }).hintMs;

type Row = readonly [said: string, ms: number];

const UNITS: readonly Row[] = [
  ["Please try again in 250 ms", 250],
  ["Please try again in 250 msec", 250],
  ["Please try again in 20 sec", 20_000],
  ["Please try again in 20 secs.", 20_000],
  ["Please try again in 1 second", 1000],
  ["Please try again in 5 min", 300_000],
  ["Please try again in 5 mins", 300_000],
  ["Please try again in 2 hr", 7_200_000],
  ["Please try again in 2 hrs", 7_200_000],
  ["Please try again in 1m30.5s", 90_500],
  ["Please try again in 1 minute and 30 seconds", 90_000],
  ["Please try again in 1 hour, 2 minutes and 3 seconds", 3_723_000],
  ["Please try again in about 20 s", 20_000],
  ["Please try again in approximately 20 seconds", 20_000],
  ["Please try again in approx. 20 seconds", 20_000],
  ["Please wait ~20s", 20_000],
  ["Please try again in 1,500 ms", 1500],
  ["Please try again in 2.5 minutes", 150_000],
  ["Please try again in PT1M30S", 90_000],
  ["Please try again in 00:01:30", 90_000],
  ["Please try again in 20-seconds", 20_000],
  ["Please try again in a minute", 60_000],
  ["Please try again in one minute", 60_000],
  ["Please try again in an hour", 3_600_000],
  ["Please wait two minutes before you send another message", 120_000],
  ["Please wait thirty seconds and try again", 30_000],
  ["Please retry in less than a minute", 60_000],
];

const VERBS: readonly Row[] = [
  ["You can try again after 20 seconds", 20_000],
  ["Retry in 20s", 20_000],
  ["retry-after: 20", 20_000],
  ["Retry-After=20s", 20_000],
  ["Please wait for 20 seconds", 20_000],
  ["Please wait 20 seconds before making another request", 20_000],
  ["You have to wait 35 seconds", 35_000],
  ["You must wait at least 35 seconds", 35_000],
  ["You need to wait another 35 seconds", 35_000],
  ["The model is available again in 3 minutes", 180_000],
  ["The model will be available in 3 minutes", 180_000],
  ["Your limit resets in 40 seconds", 40_000],
  ["Your limit resets after 40 seconds", 40_000],
  ["The limit will reset in 40 seconds", 40_000],
  ["The limit will be reset in 40 seconds", 40_000],
  ["Rate limited, reset in 40s", 40_000],
  ["Come back in 40 seconds", 40_000],
  ["The key cools down in 40 seconds", 40_000],
  ["Next request allowed in 40 seconds", 40_000],
  ["Your next message can be sent in 40 seconds", 40_000],
  ["We will be back in 4 minutes", 240_000],
  ["The ban expires in 40 seconds", 40_000],
  ["Your cooldown ends in 40 seconds", 40_000],
  ["You will be unblocked in 40 seconds", 40_000],
  ["Your IP is blocked for 40 seconds", 40_000],
  ["You are temporarily banned for 5 minutes", 300_000],
  ["You have been rate limited for 40 seconds", 40_000],
  ["Your key has been suspended for 5 minutes", 300_000],
  ["Cooldown: 40s", 40_000],
  ["There is a cooldown of 40 seconds", 40_000],
  ["You can't send messages for another 40 seconds", 40_000],
  ["You can send another message in 40 seconds", 40_000],
  ["You will be able to send messages in 40 seconds", 40_000],
  ["Estimated wait time: 40 seconds", 40_000],
  ["The estimated wait is 40 seconds", 40_000],
  ["Time remaining: 40 seconds", 40_000],
  ["Time left: 40s", 40_000],
  ["Please pause for 40 seconds", 40_000],
  ["Please back off for 40 seconds", 40_000],
  ["Service resumes in 5 minutes", 300_000],
  ["Tokens refill in 12s", 12_000],
  ["Do not retry for 60 seconds", 60_000],
  ["Please wait (20s) and resend", 20_000],
  ["Wait time is 1 minute", 60_000],
];

const NUMBER_FIRST: readonly Row[] = [
  ["20 seconds until the limit resets", 20_000],
  ["20 seconds until reset", 20_000],
  ["You have 35 seconds to wait", 35_000],
  ["35 seconds remaining", 35_000],
  ["Cooldown active, 35s left", 35_000],
  ["Cooldown of 35 seconds remaining", 35_000],
  ["It will take 35 seconds before you can send another request", 35_000],
  ["After 20 seconds you can try again", 20_000],
  ["In 20 seconds you can try again", 20_000],
  ["Allow 20 seconds before the next request", 20_000],
  ["A 30-second cooldown applies", 30_000],
  ["There is a 30 second wait", 30_000],
];

const NAMED: readonly Row[] = [
  ["status=429 retryAfterMs=42000", 42_000],
  ["status=429 retryAfter=42", 42_000],
  ["status=429 retry_after_seconds=42", 42_000],
  ["status=429 retry-after-ms: 1500", 1500],
  ["Rate limited {retryAfterMs: 1500}", 1500],
  ["limit hit (retry_after=2.5)", 2500],
  ["limit hit: retry_delay=38.5s", 38_500],
  ["RetryInfo retryDelay: '38.5s'", 38_500],
  ["resets_in_seconds=120", 120_000],
  ["reset_in: 120s", 120_000],
  ["resetInSeconds: 120", 120_000],
  ["time_to_reset=90s", 90_000],
  ["seconds_until_reset: 90", 90_000],
  ["wait_seconds=15", 15_000],
  ["waitTime: 15s", 15_000],
  ["cooldown_seconds=9", 9000],
  ["next_retry_in=9s", 9000],
  ["Wait (seconds): 15", 15_000],
  ["Retry after (in seconds): 15", 15_000],
  ["retry_delay { seconds: 21 }", 21_000],
  ["retry_delay {\n  seconds: 21\n  nanos: 500000000\n}", 21_500],
  ["HTTP 429\nserver: x\nretry-after: 17\nx-request-id: 5", 17_000],
  ["HTTP 429\nx-ratelimit-remaining-requests: 0\nx-ratelimit-reset-requests: 1m2.5s", 62_500],
  ["Headers([('retry-after', '17'), ('server', 'x')])", 17_000],
  ["too many requests; reset_after: PT1M30S", 90_000],
  ["too many requests; reset_in: 00:01:30", 90_000],
  ["retry-after-ms: 250\nretry-after: 1", 250],
];

const LANGUAGES: readonly Row[] = [
  ["请求过于频繁，请在30秒后重试", 30_000],
  ["请求过于频繁，30秒后再试", 30_000],
  ["请求太快，请等待 1 分钟", 60_000],
  ["限流中，2小时30分钟后恢复", 9_000_000],
  ["請求過於頻繁，請於 30 秒後再試", 30_000],
  ["請稍候 2 分鐘", 120_000],
  ["84 seconds を待ってから、もう一度お試しください。", 84_000],
  ["レート制限です。20秒後に再試行してください", 20_000],
  ["30秒お待ちください", 30_000],
  ["1分待ってから再度お試しください", 60_000],
  ["요청이 너무 많습니다. 30초 후에 다시 시도하세요", 30_000],
  ["1분 30초 동안 기다려 주세요", 90_000],
  ["Muitas solicitações. Tente novamente em 20 segundos", 20_000],
  ["Aguarde 2 minutos", 120_000],
  ["Demasiadas solicitudes. Inténtelo de nuevo en 20 segundos", 20_000],
  ["Vuelva a intentarlo dentro de 2 horas", 7_200_000],
  ["Trop de requêtes. Réessayez dans 20 secondes", 20_000],
  ["Veuillez patienter 1 minute et 30 secondes", 90_000],
  ["Zu viele Anfragen. Versuchen Sie es in 20 Sekunden erneut", 20_000],
  ["Bitte 1,5 Minuten warten", 90_000],
  ["Bitte warten Sie 2 Stunden", 7_200_000],
  ["Слишком много запросов. Повторите попытку через 20 секунд", 20_000],
  ["Подождите 5 минут", 300_000],
  ["Troppe richieste. Riprova tra 20 secondi", 20_000],
  ["Attendi 5 minuti", 300_000],
  ["Çok fazla istek. 20 saniye sonra tekrar deneyin", 20_000],
  ["Lütfen 2 dakika bekleyin", 120_000],
  ["Zbyt wiele żądań. Spróbuj ponownie za 20 sekund", 20_000],
  ["Poczekaj 5 minut", 300_000],
  ["Quá nhiều yêu cầu. Vui lòng thử lại sau 20 giây", 20_000],
  ["Vui lòng đợi 5 phút", 300_000],
  ["Terlalu banyak permintaan. Coba lagi dalam 20 detik", 20_000],
  ["Silakan tunggu 5 menit", 300_000],
];

/** Written after the grammar was. */
const OTHERS: readonly Row[] = [
  ["Rate limit exceeded. Try again in 12 seconds.", 12000],
  ["Sorry, you have been rate-limited. Please wait 1 minute 12 seconds before trying again. [Learn More]", 72000],
  ["You've hit your limit. Your session resets in 2h 14m", 8040000],
  ["You have reached your 5-hour limit. Limit will reset in 3 hours and 12 minutes.", 11520000],
  ["Please slow down. You can make another request in 1.2s", 1200],
  ["Try again in: 45s", 45000],
  ["Too Many Requests (retry after 45s)", 45000],
  ["API rate limit reached - please wait ~1m 5s", 65000],
  ["Model is loading, estimated time: 20s", 20000],
  ["Model is loading. It should be ready in about 20 seconds", 20000],
  ["Expected wait: 15s", 15000],
  ["Please retry your request in 8 seconds.", 8000],
  ["Retry your request after 8 seconds.", 8000],
  ["Quota will reset in 5d 3h", 442800000],
  ["Access will be restored after 10 minutes", 600000],
  ["Your next reset is in 4 hours", 14400000],
  ["Limit refreshes in 4 hours", 14400000],
  ["Usage resets in 4h", 14400000],
  ["Throttled. Retry-After: 3 seconds", 3000],
  ["{'Retry-After': '3'}", 3000],
  ["retry_after_sec: 3", 3000],
  ["retryAfterSec=3", 3000],
  ['{"retry_after_ms":null,"retryAfterSeconds":33}', 33000],
  ["rate limited until reset (in 33s)", 33000],
  ["Rate limit hit. Reset in 33s.", 33000],
  ["Your tokens will be replenished in 33s", 33000],
  ["Please wait for 33 more seconds", 33000],
  ["Wait 33 more seconds and try again", 33000],
  ["wait a further 33 seconds", 33000],
  ["Please wait at least 1 hour", 3600000],
  ["This model is currently overloaded, try in 30 seconds", 30000],
  ["Try after 30 seconds", 30000],
  ["Request was throttled. Expected available in 30 seconds.", 30000],
  ["Please retry after: 30", 30000],
  ["Please try again after 30 seconds", 30000],
  ["limit exceeded, try again in 1h0m0s", 3600000],
  ["All keys exhausted; next key available in 30s", 30000],
  ["all accounts are rate limited, earliest available in 30s", 30000],
  ["All accounts rate limited. Shortest wait: 30s", 30000],
  ["Please come back after 30 minutes", 1800000],
  ["Reset: 30m", 1800000],
  ["Resets: in 30 minutes", 1800000],
  ["resets_in: 30m", 1800000],
  ["cooling down, 30s left", 30000],
  ["Provider in cooldown for 30s", 30000],
  ["Cooldown active for another 30 seconds", 30000],
  ["Temporarily blocked. Unblock in 30s", 30000],
  ["You are sending messages too fast! 30 seconds cooldown", 30000],
  ["You need to wait 4 minutes and 30 seconds", 270000],
  ["Your request will be available to retry in 30 seconds", 30000],
  ["The server is busy, please check back in 5 minutes", 300000],
  ["Service will be back online in 5 minutes", 300000],
  ["please, try it again in 5 minutes", 300000],
  ["Slots free up in 5 minutes", 300000],
  ["Capacity expected in 5 minutes", 300000],
  ["Queue is full; expected queue time 30s", 30000],
  ["estimated_wait: 30s", 30000],
  ['"estimated_wait_seconds": 30', 30000],
  ["eta: 30s", 30000],
  ["您的请求太频繁，请 10 秒后再试", 10000],
  ["请求超限，请于5分钟后重试", 300000],
  ["预计 3 分钟后恢复", 180000],
  ["已触发限流，剩余等待时间 20 秒", 20000],
  ["还需等待 20 秒", 20000],
  ["请稍等20秒", 20000],
  ["需要等待30秒才能继续", 30000],
  ["距离重置还有 2 小时", 7200000],
  ["额度将在 3 小时 20 分钟后重置", 12000000],
  ["リクエストが多すぎます。1分後にもう一度お試しください", 60000],
  ["あと5分でリセットされます", 300000],
  ["잠시 후(30초 후) 다시 시도해주세요", 30000],
  ["5분 뒤에 다시 시도해 주십시오", 300000],
  ["30초 후에 재설정됩니다", 30000],
  ["Réessayez après 30 secondes", 30000],
  ["Veuillez réessayer dans 1 heure", 3600000],
  ["Warte 30 Sekunden", 30000],
  ["Bitte in 30 Sekunden erneut versuchen", 30000],
  ["Erneut versuchen in 30 s", 30000],
  ["Попробуйте снова через 2 минуты", 120000],
  ["Лимит сбросится через 3 часа", 10800000],
  ["Por favor, espera 30 segundos", 30000],
  ["Vuelve a intentarlo en 30 segundos", 30000],
  ["Por favor, tente de novo em 30 segundos", 30000],
  ["Riprova più tardi, tra 30 secondi", 30000],
  ["Attendere 30 secondi", 30000],
  ["30 saniye bekleyiniz", 30000],
  ["Vui lòng thử lại sau 2 phút 5 giây", 125000],
  ["Silakan coba lagi setelah 30 detik", 30000],
  ["Odczekaj 30 sekund", 30000],
  ["Your subscription renews in 12 days", 1036800000],
];

const NONE: readonly string[] = [
  "The request timed out. Please try again, the model did not respond within 60 seconds.",
  "Please retry, no response within 30s",
  "Request timed out: it was in the queue for 300s",
  "Non-streaming requests cannot run for more than 10 minutes",
  "The session was reset after 30 minutes of inactivity",
  "We'll retry automatically in 10 seconds",
  "Next try in 12s",
  "I will try again in 30 seconds",
  "backoff: 3.2s",
  "Requested: 8 H100, available: 4 H100",
  "Se agotó el tiempo de espera de 600 segundos",
  "Esperei 30 segundos e nada",
  "Novo limite: 30 minutos",
  "Wartezeit von 30 Sekunden überschritten",
  "3 Versuche in 30 Sekunden fehlgeschlagen",
  "Nous avons attendu 30 secondes",
  "Przekroczono czas, czekano 30 sekund",
  "Hết thời gian chờ (30 giây)",
  "İstek 30 saniye sonra zaman aşımına uğradı",
  "応答を30秒待ちましたがタイムアウトしました",
  "30초 동안 기다렸지만 응답이 없습니다",
  "请等待模型加载（已等待30秒）",
  "请在 5 分钟内完成验证",
  // What a client says of itself.
  "Rate limited. Retrying in 20s",
  "Rate limited. Retrying in 20s (attempt 3/10)",
  "Rate limited, will retry in 20 seconds",
  "Rate limited, waiting 20s before retrying",
  "Rate limited. Sleeping for 20 seconds before the next attempt",
  "Rate limited. Backing off for 20s",
  "Too many requests, retries in 20s",
  "Too many requests. Next retry in 20s",
  "Rate limiting for 159 seconds until the next request",
  "We retry after 20 seconds",
  // Waits that are over.
  "Rate limited after waiting 30 seconds",
  "Too many requests; waited 30 seconds",
  "Rate limited. Total wait time: 30 seconds",
  "Rate limited. Total retry wait time: 30 s",
  "Too many requests. Last reset 30 seconds ago",
  "Already waited for 20 s, giving up the retry",
  "Too many requests. Your key was blocked for 30 seconds",
  "Too many requests: gave up, elapsed wait 30s",
  // Windows.
  "Too many requests: limit is 10 per 60 seconds",
  "Too many requests in 1 hour",
  "Please retry: too many requests in 1 hour",
  "Please wait: at most 5 requests every 20 seconds",
  "You may only try again once per 30 seconds",
  "Rate limit of 5 messages in 10 minutes reached",
  "每60秒最多请求10次，请稍后再试",
  "1分钟内请求次数过多，请稍后再试",
  // Time limits and durations of something else.
  "Too many requests. The retry timed out after 600 s",
  "Too many requests. Timeout: 30s",
  "Too many requests. Connection reset after 5.2s",
  "Too many requests, please try again. Latency 30s",
  "Too many requests. Try again. Request took 5 seconds",
  "Too many requests. The model did not become available in 30 seconds",
  "Too many requests. Your link expires in 10 minutes",
  '{"error": "Slow down", "max_retry_delay": "30s"}',
  "Too many requests, exceeded the wait time of 60 seconds",
  // Dates, moments, counts, versions.
  "Too many requests. Resets 6:30pm",
  "Too many requests. Resets at 14:05:33",
  "Too many requests. Limit resets on April 20, 2026",
  "Too many requests. Try again at 10:30",
  "Too many requests, reset_at=1738888888",
  "Too many requests, x-ratelimit-reset: 1738888888",
  "Too many requests. Retry 3 of 5",
  "Too many requests. retry_count=3",
  "Too many requests. max_retries: 5",
  "Too many requests. Wait for version 2.5",
  "Too many requests. Retry with 5m tokens",
  "配额将于2026年3月5日重置",
  "12時30分に再試行してください",
  // Unknown lengths.
  "Please try again in a few minutes",
  "Please try again in a moment",
  "Please wait a second",
  "Please try again in 5 to 10 minutes",
  "Please try again in 5-10 minutes",
  "Please try again in 12:30",
  "Please wait a couple of minutes",
  "Please try again in half an hour or so",
  "Please retry in -5 seconds",
  "Please try again in 0 seconds",
  // Written after the grammar was.
  "Circuit open, next attempt in 30s",
  "Rate limit reached, pausing requests for 30s",
  "pausing for 30s",
  "Retry attempt 2/5 in 4s",
  "Retry #2 in 4s",
  "[retry 1/3] waiting 5.0s",
  "Retry attempt 1 after 2s",
  "Reconnecting in 5s",
  "Auto-retry in 30s",
  "Waiting 30 seconds…",
  "Request timed out after 30s, please try again",
  "Request took 30s. Please wait",
  "Error after 30s: please try again",
  "no response in 30 seconds, retry later",
  "Limit: 5 per 10s. Try again",
  "You can make 3 requests every 30 minutes. Please try again later",
  "Rate limit: 50 requests / 1 hour. Please try again later",
  "Max 1 request per 2 seconds, please wait",
  "Requests are limited to 20 per 1m",
  "You are limited to 5 messages for 3 hours",
  "limit window: 60s",
  "rate limited (window 60s, limit 5)",
  "limit of 100 messages every 3 hours. Please wait",
  "Requests limited for 24h period",
  "Retried for 30s",
  "Retry budget of 30s exhausted",
  "retry timeout 30s",
  "exceeded retry deadline 30s",
  "Total time waited: 30s",
  "将在 30 秒后自动重试",
  "正在等待 30 秒",
  "请求超时（30秒），请重试",
  "Your trial ends in 3 days",
  "The file is available for 30 minutes",
  "Cache cleared in 30s",
  "Token expires in 1 hour",
  "Session ends in 5 minutes",
  "Previous retry was 30s ago",
  "v1.5m is not available",
  "gpt-4 32k not available, 10m tokens used",
  "try again with a 5s clip",
  "Please try again with an audio of at most 30 seconds",
  "Please wait. Requests are limited to 30s of audio",
  "reset_time=2026-01-02T03:04:05Z",
  "Try again on May 5, 2 hours after midnight",
  "Try again at 5 h",
  "resets Thursday 3h",
];

describe("the words for a wait", () => {
  test.each(UNITS)("E6: reads every unit: %s", (said, ms) => {
    expect(limited(said)).toBe(ms);
  });

  test.each(VERBS)("E6: reads a duration behind words of waiting: %s", (said, ms) => {
    expect(limited(said)).toBe(ms);
  });

  test.each(NUMBER_FIRST)("E6: reads a duration in front of them: %s", (said, ms) => {
    expect(limited(said)).toBe(ms);
  });

  test.each(NAMED)("E6: reads names with a value in a text: %s", (said, ms) => {
    expect(limited(said)).toBe(ms);
  });

  test.each(LANGUAGES)("E6: reads other languages: %s", (said, ms) => {
    expect(limited(said)).toBe(ms);
  });

  test.each(OTHERS)("E6: reads wordings that it was not written for: %s", (said, ms) => {
    expect(limited(said)).toBe(ms);
  });

  test.each(NONE)("E6: finds no wait in: %s", (said) => {
    expect(limited(said)).toBeUndefined();
  });
});

describe("the names of a wait in a body", () => {
  test.each<[string, unknown, number | undefined]>([
    ["retry_after", 20, 20_000],
    ["retryAfter", 20, 20_000],
    ["retry-after", "20", 20_000],
    ["Retry-After", "20", 20_000],
    ["retry_after", "20s", 20_000],
    ["retry_after_seconds", 20, 20_000],
    ["retryAfterSeconds", 20, 20_000],
    ["retryAfterMs", 1500, 1500],
    ["retry_after_ms", 1500, 1500],
    ["retryAfterMillis", 1500, 1500],
    ["retry_after_minutes", 2, 120_000],
    ["retry_delay", "38.5s", 38_500],
    ["retryDelay", "38.5s", 38_500],
    ["retryDelayMs", 1500, 1500],
    ["retry_in", 7, 7000],
    ["retryIn", 7, 7000],
    ["resets_in_seconds", 90, 90_000],
    ["resetsInSeconds", 90, 90_000],
    ["reset_in", "1m30s", 90_000],
    ["reset_after", 90, 90_000],
    ["time_to_reset", 90, 90_000],
    ["seconds_until_reset", 90, 90_000],
    ["secondsUntilReset", 90, 90_000],
    ["wait_seconds", 90, 90_000],
    ["wait_time_seconds", 90, 90_000],
    ["waitTimeMs", 900, 900],
    ["wait_time", "PT1M30S", 90_000],
    ["cooldown_remaining_seconds", 9, 9000],
    ["cooldownSeconds", 9, 9000],
    ["available_in", "20s", 20_000],
    ["try_again_in", 20, 20_000],
    ["next_retry_in", 20, 20_000],
    ["unblocks_in_seconds", 20, 20_000],
    ["quotaResetDelay", "1m2s", 62_000],
    ["estimated_time", 20.5, 20_500],
    ["resetTime", "2026-01-02T03:04:05Z", undefined],
    ["reset_at", 1_738_888_888, undefined],
    ["retry_at", "2026-01-02T03:04:05Z", undefined],
    ["retry_count", 3, undefined],
    ["retries", 3, undefined],
    ["max_retries", 3, undefined],
    ["max_wait_seconds", 30, undefined],
    ["total_wait_seconds", 30, undefined],
    ["maxRetryDelay", "30s", undefined],
    ["expires_in", 3600, undefined],
    ["reset", "soon", undefined],
    ["wait", true, undefined],
    ["retryAfter", null, undefined],
    ["retry_after", -5, undefined],
    ["timeout_seconds", 30, undefined],
    ["window_seconds", 60, undefined],
  ])("E6: %s: %j", (name, value, expected) => {
    expect(limited({ error: { message: "Slow down", [name]: value } })).toBe(expected);
    expect(limited(`Error: ${JSON.stringify({ error: { message: "Slow down", [name]: value } })}`)).toBe(expected);
  });

  test.each<[string, string, number | undefined]>([
    ["a dict of Python", "Error code: 429 - {'error': {'message': 'Slow down', 'retry_after': 20}}", 20_000],
    ["a dict of headers", "429 {'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m2s'}", 62_000],
    ["a field that was cut", '429 {"error": {"message": "Slow down", "retryAfterMs": 1500, "oth', 1500],
    ["the finer of two fields", "429 {'message': 'x', 'reset_seconds': 5999, 'reset_time': '1h39m58s'}", 5_999_000],
    ["RetryInfo beside its words", '429 {"retryDelay": "21s", "message": "Please retry in 21.5s"}', 21_500],
    ["no time for a window of a day", '429 {"message": "Retry in 20s", "quotaId": "RequestsPerDay"}', undefined],
  ])("E6: reads %s", (_, said, expected) => {
    expect(limited(said)).toBe(expected);
  });
});

describe("several names of a wait in one body", () => {
  test.each<[string, object, number]>([
    ["the one for retries", { cooldown: "30s", retry_after: 5 }, 5000],
    ["the one for retries, wherever it stands", { retry_after: 5, cooldown: "30s" }, 5000],
    ["the one in milliseconds", { retry_after: 2, retry_after_ms: 1850 }, 1850],
    ["the one in milliseconds, wherever it stands", { retry_after_ms: 1850, retry_after: 2 }, 1850],
    ["the longer of two that say nothing about retries", { reset_in: "5s", wait_time: "9s" }, 9000],
    ["the longer, wherever it stands", { wait_time: "9s", reset_in: "5s" }, 9000],
    ["minutes no more than seconds", { wait_seconds: 200, wait_minutes: 2 }, 200_000],
    ["none that is absurd", { retry_after: 5, retry_after_ms: 1e15 }, 5000],
  ])("E6: %s", (_, fields, expected) => {
    expect(limited({ error: { message: "Slow down", ...fields } })).toBe(expected);
  });

  test("E6: only the first 16 names of waits in a text are read", () => {
    const name = "max_wait_seconds: 1\n";
    expect(limited(`${name.repeat(15)}retry_after: 5`)).toBe(5000);
    expect(limited(`${name.repeat(16)}retry_after: 5`)).toBeUndefined();
  });
});

describe("a wait and the kind", () => {
  test.each([
    ["You've exceeded your 5 hour session limits. Please retry after 2733 seconds", "usage_limit", 2_733_000],
    ["You've hit your 5-hour limit. Resets in 12 minutes", "usage_limit", 720_000],
    ["You've hit your daily limit. Please retry in 12 minutes, or tomorrow", "rate_limit", 720_000],
    ["You've hit your weekly limit. Please retry in 12 minutes", "usage_limit", undefined],
    ["5-hour usage limit reached, weekly limit at 20%. Resets in 12 minutes", "usage_limit", undefined],
  ])("B2: a window of hours is used up, and its end is a wait; that of a week is not: %s", (said, kind, hintMs) => {
    expect(classify({ status: 429, body: said })).toMatchObject({ kind, hintMs });
  });
});

describe("texts that are made to be slow", () => {
  test.each([
    "retry ",
    "reset after ",
    "1s ",
    "1 ",
    "1,1",
    "12:34:56 ",
    "retry_after_in_",
    "retry_after: 1 x",
    "seconds until ",
    "available in the next ",
    "one two minute ",
    "not able to next ",
    "pt1",
    "again in (",
    "hour ",
  ])("E7: reads 16,000 characters of %j at once", (part) => {
    const msFor = (chars: number) => {
      const problem = () => ({ status: 429, body: `${part.repeat(chars / part.length)} ${Math.random()}` });
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now();
        classify(problem());
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    expect(msFor(16_000)).toBeLessThan(40);
  });
});
