const AZURE = /\.(?:openai|cognitiveservices|services\.ai)\.azure\.|\/deployments\//;

/** Whether these are Azure's own models, which take a key in `api-key` alone: not whatever runs on a machine of Azure's. */
export function isAzure({ host, pathname }: URL): boolean {
  return AZURE.test(host + pathname);
}
