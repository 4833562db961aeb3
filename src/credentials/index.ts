export { type Credential, maskSecret, type Secret } from "./credential.ts";
export { addKey, type KeyFile, keyFilePath, type NewKey, readKeyFile, removeKey, type StoredKey } from "./key-file.ts";
export { splitKeys } from "./split-keys.ts";
export { type KeyWish, Vault } from "./vault.ts";
