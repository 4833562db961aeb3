/** With one of these set, Ink paints nothing and chalk has no colours. */
const SIGNS_OF_BUILD_SERVER = ["CI", "CONTINUOUS_INTEGRATION"] as const;

/**
 * Loads the view, and Ink with it. We know that there is a terminal, even if the environment looks like a build server. Both
 * libraries check only while they load, so the variables are removed for just that long.
 */
export async function loadView(env: NodeJS.ProcessEnv) {
  const before = SIGNS_OF_BUILD_SERVER.map((name) => [name, env[name]] as const);
  for (const [name] of before) delete env[name];
  try {
    return await import("./view/show-chat.tsx");
  } finally {
    for (const [name, value] of before) if (value !== undefined) env[name] = value;
  }
}
