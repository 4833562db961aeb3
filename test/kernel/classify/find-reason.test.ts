import { expect, test } from "vitest";
import { classify } from "../../../src/kernel/classify/classify.ts";
import { findReason } from "../../../src/kernel/classify/find-reason.ts";

test.each([
  ["Sorry, your request failed. Please try again.\nReason: You may not include more than 128 tools.", "You may not"],
  ["很抱歉，你的请求已失败。请重试。\n\n原因: You may not include more than 128 tools.", "You may not"],
  ["It broke. Caused by: one thing that is outer\nCaused by: another thing", "another thing"],
  ["Failed after 3 attempts. Last error: connect ETIMEDOUT", "connect ETIMEDOUT"],
  ["错误：测速失败，原因：Provider API error: it is not there any more", "Provider API"],
  ["rpc error: code = Unavailable desc = the inner thing", "the inner"],
  ['rpc error: code = Unknown desc = rpc error: code = Internal desc = "last"', '"last"'],
  ["It did not work.\nError from provider (deepseek, x): The thing is gone", "The thing"],
])("E1: finds what follows the last marker of a cause: %j", (text, start) => {
  expect(findReason(text)?.startsWith(start)).toBe(true);
});

test.each([
  "It failed for this reason: nothing was there to be read",
  "A text without any marker at all, but: with a colon",
  "Something went wrong here. Reason: x",
  `Reason: ${"x".repeat(5000)}`,
  `code = Internal desc = ${"x".repeat(5000)}`,
])("E1: finds none in the middle of a sentence, in a log or where nothing follows: %j", (text) => {
  expect(findReason(text)).toBe(undefined);
});

test("E1: the cause behind a marker beats the headline in front of it", () => {
  expect(classify("Sorry, please try again.\nReason: Country, region, or territory not supported").kind).toBe(
    "permission",
  );
  expect(classify("Please try again. Reason: You may not include more than 128 tools.").kind).toBe("bad_request");
  expect(classify("The request timed out. Reason: 401 The key is bad").kind).toBe("auth");
});
