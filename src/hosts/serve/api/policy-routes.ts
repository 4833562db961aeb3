import type { z } from "zod";
import type { Activity } from "../../../activity/activity.ts";
import { definePolicy, InvalidInput } from "../../../kernel/index.ts";
import { estimateRequestSchema, policyNameSchema, policyRequestSchema } from "../../../wire/http/server.ts";
import type { PolicyBook } from "../policies/policy-book.ts";
import { type AnyRoute, defineRoute } from "./route.ts";

interface PolicyParts {
  readonly policies: PolicyBook;
  readonly activity: Pick<Activity, "estimate">;
}

/** Presets and the user's own policies. The engine's own check decides about a policy; its errors name the field. */
export function policyRoutes({ policies, activity }: PolicyParts): readonly AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/policies",
      summary: "List the presets and your own policies",
      answer: "`{policies}`, each with `name`, `isPreset`, `from` and the complete `policy`",
      run: async () => ({ policies: await policies.list() }),
    }),
    defineRoute<undefined, z.infer<typeof policyRequestSchema>>({
      method: "PUT",
      path: "/api/policies/:name",
      summary: "Add a policy of your own, or replace it",
      body: policyRequestSchema.describe("missing fields come from the policy `from`, else from the engine's base"),
      answer: "the policy, complete; turns that are running keep the policy they started with",
      run: ({ params, body }) => policies.put(checkName(params.name), body.from, body.policy),
    }),
    defineRoute({
      method: "DELETE",
      path: "/api/policies/:name",
      summary: "Delete a policy of your own",
      answer: "nothing; status 404 for an unknown policy, 409 for a preset and for the policy of new turns",
      run: ({ params }) => policies.remove(checkName(params.name)),
    }),
    defineRoute<undefined, z.infer<typeof estimateRequestSchema>>({
      method: "POST",
      path: "/api/policies/estimate",
      summary: "Estimate what a policy would have done with the last 1,000 recorded generations",
      body: estimateRequestSchema,
      answer: "`{recorded, estimated}`, each with `generations`, `answered`, `retried`, `calls`, `meanWaitMs`",
      run: ({ body, signal }) => activity.estimate(definePolicy(body.policy), signal),
    }),
  ];
}

function checkName(name = ""): string {
  if (policyNameSchema.safeParse(name).success) return name;
  throw new InvalidInput("name", name, "1 to 64 letters, digits, spaces, . - or _");
}
