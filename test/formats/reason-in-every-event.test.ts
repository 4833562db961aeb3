import { describe, expect, test } from "vitest";
import { AnswerReader } from "../../src/formats/index.ts";
import { readAnswer } from "../../src/formats/read-answer.ts";
import { cut, event, readings, said } from "./support.ts";

function candidate(text: string | undefined, finishReason?: string): object {
  const content = text === undefined ? {} : { content: { parts: [{ text }] } };
  return { candidates: [{ index: 0, ...content, ...(finishReason !== undefined && { finishReason }) }] };
}

describe("Gemini's finish reason", () => {
  test("E15b: in every event, it ends the answer with the last one", () => {
    const events = [candidate("a", "STOP"), candidate("b", "STOP"), candidate("c", "STOP")];
    const { pieces, cutter } = cut(events.map(event).join(""), 40);
    expect(said(pieces)).toEqual(events);
    expect(readings(pieces)).toEqual(["content", "content", "content", "end"]);
    expect(cutter.hasEnded).toBe(true);
  });

  test("E15b: in the only event, it ends the answer when the body is over", () => {
    const { pieces } = cut(event(candidate("a", "STOP")));
    expect(readings(pieces)).toEqual(["content", "end"]);
  });

  test("E15b: after events without one, it ends the answer at once, and what follows is left out", () => {
    const { pieces } = cut([candidate("a"), candidate("b", "STOP"), candidate("c", "STOP")].map(event).join(""), 60);
    expect(said(pieces)).toEqual([candidate("a"), candidate("b", "STOP")]);
    expect(readings(pieces).at(-1)).toBe("content-end");
  });

  test("E15b: content without one that follows the first one is left out", () => {
    const { pieces } = cut([candidate("a", "STOP"), candidate("b")].map(event).join(""), 60);
    expect(said(pieces)).toEqual([candidate("a", "STOP")]);
    expect(readings(pieces)).toEqual(["content", "end"]);
  });

  test("E15b: of a limit or a filter ends the answer wherever it stands", () => {
    expect(new AnswerReader().read(candidate("a", "MAX_TOKENS"))).toBe("content-end");
  });

  test("E15b: a stream without one is broken", () => {
    expect(cut(event(candidate("a"))).cutter.hasEnded).toBe(false);
    expect(readAnswer([candidate("a")], "")).toMatchObject({ problem: { code: "stream_broken" } });
    expect(readAnswer([candidate("a", "STOP"), candidate("b", "STOP")], "")).toBe("content-end");
  });
});
