import type { Page } from "playwright-core";
import type { StartedServer } from "./start-server.ts";

/** Starts a turn as a program does and returns its conversation. The turn goes on. */
export async function startTurn(
  { url }: StartedServer,
  request: {
    readonly message: string;
    readonly model?: string;
    readonly policy?: string;
    readonly conversationId?: string;
  },
): Promise<string> {
  const response = await fetch(`${url}/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const id = response.headers.get("x-conversation-id") ?? "";
  await response.body?.cancel();
  return id;
}

/** Calls the API as the page does. */
export async function callApi<T>({ url }: StartedServer, method: string, path: string, body?: unknown): Promise<T> {
  const session = (await (await fetch(`${url}/api/session`)).json()) as { readonly token: string };
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { "content-type": "application/json", "x-secondwind-token": session.token },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** K7: the title of the wait bubble. */
export function waitTitle(page: Page) {
  return page.locator(".wait-bubble .ticking");
}

/** Types a message and sends it with Enter. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

export async function chooseModel(page: Page, model: string): Promise<void> {
  await page.getByRole("button", { name: /^Model:/ }).click();
  await page.getByRole("menuitemradio", { name: model, exact: true }).click();
}
