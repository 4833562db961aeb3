import { type AnyRoute, defineRoute } from "./route.ts";

/** For load balancers and supervisors: is the process alive, and does it take new work. */
export function livenessRoutes({ isReady }: { readonly isReady: () => boolean }): readonly AnyRoute[] {
  return [
    defineRoute({
      method: "GET",
      path: "/health",
      summary: "Check whether the server is alive and takes new work",
      answer: "`{live, ready}`; status 503 while the server shuts down",
      run: () => {
        const ready = isReady();
        return Response.json(
          { live: true, ready },
          { status: ready ? 200 : 503, headers: { "cache-control": "no-store" } },
        );
      },
    }),
  ];
}
