import { describe, expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";
import { isTabled } from "../../../src/kernel/classify/code-table.ts";

/** Codes and classes of SDKs, proxies and agents that no table lists: their words decide. */
const CODES: Readonly<Record<string, string>> = {
  auth: "InvalidProviderAPIKey NoOpenAIAPIKey InvalidVertexCredentials InvalidAccessCode ProviderTokenNotInitError MODEL_AUTHENTICATION ERROR_NOT_LOGGED_IN NotAuthorizedException CredentialUnavailableError DefaultCredentialsError TokenRefreshRequired oauth_token_expired login_required GitHubLoginFailed ReauthRequired not_authenticated signature_expired InvokeAuthorizationError auth_error",
  permission:
    "RegionNotSupported unsupported_location country_blocked user_banned organization_not_verified model_not_enabled GatedRepoError policy_denied UnauthorizedOperation ForbiddenException",
  usage_limit:
    "FreePlanLimit SubscriptionPlanLimit plan_limit_exceeded daily_limit_reached trial_expired balance_not_enough billing_required overdue_payment account_arrears ResourcePackExhausted NotEnoughCredits",
  rate_limit:
    "ERROR_GENERIC_RATE_LIMIT_EXCEEDED rpm_limit_exceeded qps_exceeded concurrent_request_limit_exceeded max_concurrency_reached InvokeRateLimitError AccountThrottled",
  overloaded:
    "ModelTooBusyError high_load no_healthy_upstream provider_unavailable no_available_providers temporarily_unavailable",
  timeout: "TaskCanceledException StreamIdleTimeout execution_timeout",
  context_overflow:
    "ERROR_CONVERSATION_TOO_LONG max_prompt_tokens_exceeded input_length_overflow tokens_limit_reached ContextWindowOverflowException",
  content_filter:
    "TextIllegalDetected blocked_prompt unsafe_content harmful_content safety_violation input_moderated ResponseBlockedError",
  not_found:
    "AI_NoSuchProviderError ERROR_BAD_MODEL_NAME non_existent_model RepositoryNotFoundError unsupported_model ModelCurrentlyNotSupportError",
  stream_broken:
    "StreamChunkError IncompleteGenerationError IncompleteMessage no_choices stream_interrupted_early EMPTY_MESSAGE APIResponseValidationError",
  network:
    "ConnectionShutdownException HostNotFoundError NameResolutionError WebSocketException UpstreamConnectError dns_error LocalProtocolError",
  invalid_content:
    "OUTPUT_PARSING_FAILURE tool_call_parse_error AI_InvalidToolInputError AI_NoObjectGeneratedError UnexpectedModelBehavior malformed_tool_call",
  bad_request:
    "malformed_request invalid_payload unsupported_modality InvalidOllamaArgs AI_InvalidDataContentError MESSAGE_COERCION_FAILURE not_implemented",
  server:
    "ModelServingError ProviderBizError engine_error runner_terminated upstream_request_failed TransientAiException",
  aborted: "ERROR_USER_ABORTED_REQUEST user_cancelled OperationCanceledException",
};

describe("a code that no table lists", () => {
  const rows = Object.entries(CODES).flatMap(([kind, codes]) => codes.split(" ").map((code) => [code, kind] as const));

  test.each(rows)("E1: %s is %s in the place of a code", (code, kind) => {
    expect(classify({ error: { message: "Oops", code } }).kind).toBe(kind);
  });

  test.each(rows.filter(([code]) => /Error$|Exception$/.test(code)))(
    "E1: %s is %s as a class in a text",
    (code, kind) => {
      expect(classify(`com.example.${code}: Oops`).kind).toBe(kind);
    },
  );

  test.each(
    "ValueConfig response_id tool_call_id max_tokens model_name prompt_tokens stop_sequence RuntimeError ModelError invalid_message_count"
      .split(" ")
      .filter((code) => !isTabled(code)),
  )("E1: %s names no failure of the endpoint", (code) => {
    expect(["unknown", "bad_request"]).toContain(classify({ error: { message: "Oops", code } }).kind);
  });

  test("E1: its words come after those of the message, and after a status that says as much", () => {
    expect(classify("x.ResourceAccessException: too many concurrent streams").kind).toBe("rate_limit");
    expect(classify("x.ResourceAccessException: Oops").kind).toBe("network");
    expect(classify({ status: 403, body: { error: { message: "No", type: "auth_error" } } }).kind).toBe("permission");
    expect(classify({ status: 401, body: { error: { message: "No", type: "auth_error" } } }).kind).toBe("auth");
    expect(classify({ status: 404, body: { error: { message: "No", type: "invalid_payload" } } }).kind).toBe(
      "not_found",
    );
  });

  test("E1: an endpoint that refuses a tool call with a status calls the request bad", () => {
    expect(classify({ status: 400, body: { error: { message: "No", code: "malformed_tool_call" } } }).kind).toBe(
      "bad_request",
    );
    expect(classify({ status: 200, body: { error: { message: "No", code: "malformed_tool_call" } } }).kind).toBe(
      "invalid_content",
    );
  });

  test("E1: the class after a dollar sign is the one that counts", () => {
    expect(classify({ error: { code: "HttpClientErrorException$TooManyRequests", message: "x" } }).kind).toBe(
      "rate_limit",
    );
    expect(classify({ error: { code: "HttpClientErrorException$NotFound", message: "x" } }).kind).toBe("not_found");
  });
});

describe("an identifier in a text that is no code", () => {
  test.each([
    ["a flag that is off", "error_message='That model is currently overloaded' stream_error=False", "overloaded"],
    ["a field without a value", "The service is overloaded, rate_limit_error: null", "overloaded"],
    ["a key", 'The service is overloaded {"user_banned": 1', "overloaded"],
    [
      "a list of choices",
      "unknown variant ``, expected one of `stop`, `content_filter` at line 1 column 2 of the response",
      "bad_request",
    ],
    ["a part of a program", "OpenAIRateLimitHandler - the model is overloaded", "overloaded"],
    [
      "the AI SDK's own check",
      'No object generated: response did not match schema. Type validation failed: Value: {"a":1}. Error message: [ { "code": "invalid_type", "message": "x" }, { "code": "invalid_type" } ]',
      "invalid_content",
    ],
  ])("E1: %s", (_, text, kind) => {
    expect(classify(text).kind).toBe(kind);
  });

  test("E1: a class beside a status stands for the status", () => {
    expect(classify('StreamError("Invalid status code: 400 Bad Request")').kind).toBe("bad_request");
    expect(
      classify({ status: 500, body: "JSONSyntaxError: Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON" })
        .kind,
    ).toBe("stream_broken");
  });

  test.each([
    ["rpc error: code = Internal desc = unexpected failure", "server"],
    ["rpc error: code = Unavailable desc = the thing is off", "overloaded"],
    ["rpc error: code = Unavailable desc = connection error: use of closed network connection", "network"],
    ["rpc error: code = Unknown desc = unimplemented", "bad_request"],
    ["status = StatusCode.DEADLINE_EXCEEDED details = x", "timeout"],
    ["Error: 16 UNAUTHENTICATED: x", "auth"],
    ["Found 16 UNKNOWNS in it", "unknown"],
  ])("E1: gRPC's status in words: %s is %s", (text, kind) => {
    expect(classify(text).kind).toBe(kind);
  });
});
