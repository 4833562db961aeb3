export { type Credential, maskSecret } from "./credential.ts";
export { addKey, keyFilePath, readKeyFile, removeKey } from "./key-file.ts";
export { FEWEST_SECRET_CHARS } from "./secret-forms.ts";
export { splitKeys } from "./split-keys.ts";
export { Vault } from "./vault.ts";
