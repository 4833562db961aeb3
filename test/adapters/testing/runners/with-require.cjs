// CommonJS, as most Jest projects have it.
const assert = require("node:assert/strict");
const { ok, simulateProviders, virtualTime } = require("secondwind/testing");

const time = virtualTime();
time.sleep(3_600_000).then(async () => {
  assert.equal(time.elapsedMs, 3_600_000);
  const { InvalidInput } = await import("secondwind/testing");
  const providers = await simulateProviders({ script: [ok("Hello")] });
  assert.throws(() => providers.setScript(["hail"]), InvalidInput);
  await providers.close();
});
