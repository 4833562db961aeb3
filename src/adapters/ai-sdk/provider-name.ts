/** The part of a provider's id that names its API: `openai.responses`, `anthropic.messages`, `my-box.chat`. */
const API = /\.(?:chat|responses|completions?|messages|generative-ai|interactions|embeddings?)$/;

/**
 * The provider as policies, events and health know it: "openai" for `openai.responses`, so that all its models share what is
 * learned about it, whichever API they use.
 */
export function providerName(id: string): string {
  return id.replace(API, "") || id;
}
