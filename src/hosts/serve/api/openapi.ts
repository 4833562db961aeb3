import { z } from "zod";
import { type AnyRoute, defineRoute } from "./route.ts";

/** An OpenAPI 3.1 document, as far as it is used here. */
export interface OpenApi {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

const DESCRIPTION =
  "The API of `secondwind serve`. Requests that change something need the header `x-secondwind-token` with the token of `GET /api/session`, or an access key; `POST /chat` and `/jobs` need neither from programs. docs/server.md and docs/events.md have the rest.";

/** Made from the routes themselves: the schemas that check a request also describe it. */
export function openApiOf(routes: readonly AnyRoute[], version: string): OpenApi {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Secondwind", version, description: DESCRIPTION },
    paths,
    components: {
      schemas: { Error: ERROR },
      responses: {
        Error: {
          description: "What is wrong: the field, its value and what is allowed",
          content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
        },
      },
      securitySchemes: {
        token: { type: "apiKey", in: "header", name: "x-secondwind-token" },
        accessKey: { type: "http", scheme: "bearer" },
      },
    },
  };
}

/** `GET /api/openapi.json`. */
export function openApiRoute(routes: () => readonly AnyRoute[], version: string): AnyRoute {
  return defineRoute({
    method: "GET",
    path: "/api/openapi.json",
    summary: "Get this document",
    answer: "an OpenAPI 3.1 document",
    run: () => openApiOf(routes(), version),
  });
}

const ERROR = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["message"],
      properties: { message: { type: "string" }, field: { type: "string" } },
    },
  },
} as const;

function operationOf({ method, path, summary, query, body, answer }: AnyRoute): object {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const parameters = [...inPath, ...(query === undefined ? [] : queryParameters(query))];
  const needsToken = method !== "GET" && path !== "/chat" && !path.startsWith("/jobs");
  return {
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: schemaOf(body) } } },
    }),
    ...(needsToken && { security: [{ token: [] }, { accessKey: [] }] }),
    responses: {
      200: { description: answer },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}

function queryParameters(query: z.ZodType): readonly object[] {
  const { properties = {}, required = [] } = schemaOf(query) as ObjectSchema;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

/** As a client writes it: what has a default may be left out. */
function schemaOf(schema: z.ZodType): object {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return plain;
}
