import assert from "node:assert/strict";
import { test } from "node:test";
import { outage } from "./outage.mjs";

test("eight hours of outage", () => outage(assert.equal));
