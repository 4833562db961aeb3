// hono and fetch, as its documentation shows a proxy.
import { serve } from "@hono/node-server";
import { Hono } from "hono";

const upstream = process.argv[2];
const app = new Hono();
app.all("*", async (context) => {
  const { method, url, headers } = context.req.raw;
  const { pathname, search } = new URL(url);
  const sent = new Headers(headers);
  for (const name of ["host", "connection", "content-length"]) sent.delete(name);
  const body = method === "GET" || method === "HEAD" ? undefined : await context.req.arrayBuffer();
  const answer = await fetch(`${upstream}${pathname}${search}`, {
    method,
    headers: sent,
    body,
    signal: context.req.raw.signal,
  });
  return new Response(answer.body, { status: answer.status, headers: new Headers(answer.headers) });
});
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => process.send({ port }));
