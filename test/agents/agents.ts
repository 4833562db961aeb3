import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Where an agent sends its requests. The paths after it are those of the providers. */
export interface BaseUrls {
  readonly anthropic: string;
  readonly openai: string;
  readonly gemini: string;
}

/** How an agent is started once, without a person at the keyboard. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files below the home folder, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Agent {
  readonly name: string;
  readonly packageName: string;
  readonly wire: "Anthropic messages" | "OpenAI responses" | "OpenAI chat" | "Gemini";
  /** The model that answers the prompt. Calls to other models are side calls: titles, summaries. */
  readonly model: string;
  /** Sends everything through `HTTP_PROXY`, also what `NO_PROXY` exempts. */
  readonly ignoresNoProxy?: boolean;
  readonly launch: (urls: BaseUrls) => Launch;
}

export const KEY = "key-of-the-agent";
export const PROMPT = "Say hello";

export const FOLDER = import.meta.dirname;
const MODULES = join(FOLDER, "node_modules");
const PLATFORM = `${process.platform}-${process.arch}`;

/** A script of a package, run with this Node. */
function script(...path: readonly string[]): Pick<Launch, "command"> & { readonly first: string } {
  return { command: process.execPath, first: join(MODULES, ...path) };
}

const codexScript = script("@openai", "codex", "bin", "codex.js");
const CODEX_ARGS = [codexScript.first, "exec", "--skip-git-repo-check", PROMPT];
const CODEX_CONFIG = `model = "gpt-5.2-codex"
approval_policy = "never"
sandbox_mode = "read-only"
check_for_update_on_startup = false
`;

export const AGENTS: readonly Agent[] = [
  {
    name: "claude",
    packageName: "@anthropic-ai/claude-code",
    wire: "Anthropic messages",
    model: "claude-opus-5-5",
    launch: ({ anthropic }) => ({
      // The package's own launcher wants a newer Node; the binary needs none.
      command: join(MODULES, "@anthropic-ai", `claude-code-${PLATFORM}`, "claude"),
      // With the model that is its default. For older ones it sends no messages with the role `system`.
      args: ["-p", PROMPT],
      env: {
        ANTHROPIC_BASE_URL: anthropic,
        ANTHROPIC_API_KEY: KEY,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        DISABLE_AUTOUPDATER: "1",
      },
    }),
  },
  {
    // The built-in provider at another address. Asks for a WebSocket first.
    name: "codex",
    packageName: "@openai/codex",
    wire: "OpenAI responses",
    model: "gpt-5.2-codex",
    launch: ({ openai }) => ({
      command: codexScript.command,
      args: CODEX_ARGS,
      env: { CODEX_API_KEY: KEY },
      files: {
        ".codex/config.toml": `openai_base_url = "${openai}"\n${CODEX_CONFIG}[analytics]\nenabled = false\n`,
      },
    }),
  },
  {
    // A provider of one's own. Uses HTTP only.
    name: "codex-provider",
    packageName: "@openai/codex",
    wire: "OpenAI responses",
    model: "gpt-5.2-codex",
    launch: ({ openai }) => ({
      command: codexScript.command,
      args: CODEX_ARGS,
      env: { GATEWAY_KEY: KEY },
      files: {
        ".codex/config.toml": `model_provider = "gateway"
${CODEX_CONFIG}[analytics]
enabled = false
[model_providers.gateway]
name = "Gateway"
base_url = "${openai}"
env_key = "GATEWAY_KEY"
wire_api = "responses"
`,
      },
    }),
  },
  {
    name: "gemini",
    packageName: "@google/gemini-cli",
    wire: "Gemini",
    model: "gemini-2.5-flash",
    launch: ({ gemini }) => {
      const { command, first } = script("@google", "gemini-cli", binOf("@google/gemini-cli", "gemini"));
      return {
        command,
        args: [first, "-p", PROMPT, "-m", "gemini-2.5-flash"],
        env: { GOOGLE_GEMINI_BASE_URL: gemini, GEMINI_API_KEY: KEY, GEMINI_CLI_TRUST_WORKSPACE: "true" },
        files: {
          ".gemini/settings.json": JSON.stringify({
            security: { auth: { selectedType: "gemini-api-key" } },
            general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
            privacy: { usageStatisticsEnabled: false },
            telemetry: { enabled: false },
          }),
        },
      };
    },
  },
  {
    name: "opencode",
    packageName: "opencode-ai",
    wire: "OpenAI chat",
    model: "gpt-5-mini",
    launch: ({ openai }) => ({
      // The package's own launcher is put in place by a script after the installation, which does not run here.
      command: join(MODULES, `opencode-${PLATFORM}`, "bin", "opencode"),
      args: ["run", PROMPT],
      env: {
        OPENCODE_DISABLE_AUTOUPDATE: "1",
        OPENCODE_DISABLE_MODELS_FETCH: "1",
        OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
        OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      },
      files: {
        ".config/opencode/opencode.json": JSON.stringify({
          autoupdate: false,
          share: "disabled",
          model: "gateway/gpt-5-mini",
          small_model: "gateway/gpt-5-nano",
          provider: {
            gateway: {
              npm: "@ai-sdk/openai-compatible",
              name: "Gateway",
              options: { baseURL: openai, apiKey: KEY },
              models: { "gpt-5-mini": {}, "gpt-5-nano": {} },
            },
          },
        }),
      },
    }),
  },
  {
    name: "pi",
    packageName: "@mariozechner/pi-coding-agent",
    wire: "Anthropic messages",
    model: "claude-sonnet-4-5",
    launch: ({ anthropic }) => {
      const { command, first } = script(
        "@mariozechner",
        "pi-coding-agent",
        binOf("@mariozechner/pi-coding-agent", "pi"),
      );
      return {
        command,
        args: [first, "-p", "--model", "anthropic/claude-sonnet-4-5", PROMPT],
        env: { ANTHROPIC_API_KEY: KEY, PI_OFFLINE: "1", PI_TELEMETRY: "0" },
        files: { ".pi/agent/models.json": JSON.stringify({ providers: { anthropic: { baseUrl: anthropic } } }) },
      };
    },
  },
  {
    name: "qwen",
    packageName: "@qwen-code/qwen-code",
    wire: "OpenAI chat",
    model: "qwen3-coder-plus",
    ignoresNoProxy: true,
    launch: ({ openai }) => {
      const { command, first } = script("@qwen-code", "qwen-code", binOf("@qwen-code/qwen-code", "qwen"));
      return {
        command,
        args: [first, "-p", PROMPT, "--auth-type", "openai"],
        env: { OPENAI_BASE_URL: openai, OPENAI_API_KEY: KEY, OPENAI_MODEL: "qwen3-coder-plus" },
        files: {
          ".qwen/settings.json": JSON.stringify({
            security: { auth: { selectedType: "openai" } },
            general: { enableAutoUpdate: false },
            privacy: { usageStatisticsEnabled: false },
            // Extracts memories with the same model after each answer, which would mix with the counted calls.
            memory: { enableManagedAutoMemory: false },
          }),
        },
      };
    },
  },
];

interface Manifest {
  readonly version: string;
  readonly bin: string | Readonly<Record<string, string>>;
}

export function versionOf({ packageName }: Agent): string {
  return manifestOf(packageName).version;
}

function binOf(packageName: string, name: string): string {
  const { bin } = manifestOf(packageName);
  return typeof bin === "string" ? bin : (bin[name] ?? "");
}

function manifestOf(packageName: string): Manifest {
  return JSON.parse(readFileSync(join(MODULES, packageName, "package.json"), "utf8")) as Manifest;
}
