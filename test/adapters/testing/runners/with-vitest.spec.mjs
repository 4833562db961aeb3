import { expect, test } from "vitest";
import { outage } from "./outage.mjs";

test("eight hours of outage", () => outage((is, should) => expect(is).toBe(should)));
