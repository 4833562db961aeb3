/** `key-one, key-two`: keys have no commas and no spaces in them. */
export function splitKeys(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((key) => key.trim())
    .filter((key) => key !== "");
}
