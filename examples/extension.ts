import type { Extension } from "secondwind/session";

const extension: Extension = ({ on, addTool, addCommand, warn }) => {
  let retries = 0;
  on("auto_retry_start", ({ attempt, delayMs, errorMessage }) => {
    retries += 1;
    if (delayMs > 60_000) warn(`Retry ${attempt} starts in ${Math.round(delayMs / 60_000)} min: ${errorMessage}`);
  });

  addTool({
    name: "clock",
    description: "Returns the current date and time in ISO 8601.",
    run: () => new Date().toISOString(),
  });

  addCommand({
    name: "retries",
    description: "show how often this session has retried",
    run: () => `Retries: ${retries}`,
  });

  const timer = setInterval(() => undefined, 60_000);
  // Called when the session closes.
  return () => clearInterval(timer);
};

export default extension;
