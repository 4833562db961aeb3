export {
  type AccessKey,
  accessFilePath,
  addAccessKey,
  findAccessKey,
  readAccessFile,
  removeAccessKey,
  unstoredAccessKey,
} from "./access-file.ts";
export { type Credential, maskSecret, type Secret } from "./credential.ts";
export type { HeldBack } from "./held-back.ts";
export { addKey, keyFilePath, readKeyFile, removeKey } from "./key-file.ts";
export type { NamedSecret, Redactor } from "./redactor.ts";
export { FEWEST_SECRET_CHARS } from "./secret-forms.ts";
export { splitKeys } from "./split-keys.ts";
export { type KeyWish, Vault } from "./vault.ts";
