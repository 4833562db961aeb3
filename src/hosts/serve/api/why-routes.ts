import { parsePaste } from "../../../explain/parse-paste.ts";
import { whyCard } from "../../../explain/why-card.ts";
import { maskSecrets } from "../../../terminal/mask-secrets.ts";
import { type WhyCard, whyRequestSchema } from "../../../wire/http/server.ts";
import { type AnyRoute, ApiProblem, defineRoute } from "./route.ts";

/** `POST /api/why`: an error in words. Nothing of it is stored. */
export function whyRoutes(): readonly AnyRoute[] {
  return [
    defineRoute({
      method: "POST",
      path: "/api/why",
      summary: "Explain an error: what happened, who has to act, whether waiting helps",
      body: whyRequestSchema,
      // A million characters, each of up to six bytes as JSON.
      maxBody: 6_500_000,
      answer: "what the error means, and what each preset would do about it; text that looks like an API key is masked",
      run({ body: { text, provider } }): WhyCard {
        if (text.trim() === "") throw new ApiProblem(400, "text must not be blank", "text");
        const pasted = parsePaste(text);
        const named = provider?.trim() ?? "";
        return whyCard(named === "" ? pasted : { ...pasted, provider: named }, Date.now(), maskSecrets);
      },
    }),
  ];
}
