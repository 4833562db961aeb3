/** Ink paints nothing where it takes the terminal for a build server's, and chalk gives it no colours there. */
const SIGNS_OF_BUILD_SERVER = ["CI", "CONTINUOUS_INTEGRATION"] as const;

/**
 * Loads the view, Ink with it. Whoever has got here sits at a terminal, whatever the environment says; both libraries look
 * once, while they are loaded, so the signs are out of the way for just as long.
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
