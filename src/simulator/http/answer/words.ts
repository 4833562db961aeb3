/** Plain words, and some with characters of two, three and four bytes in UTF-8, to expose decoding errors. */
const WORDS = [
  ..."the wind turns and then it holds a little longer than anyone thought possible so we wait for the".split(" "),
  ..."tide to carry on while gulls draw their slow circles over the harbour and nobody speaks of".split(" "),
  ..."yesterday café naïve Zürich déjà-vu 風 海 → ☂ 🌊 ⛵".split(" "),
];

const FEWEST = 16;
const MOST_MORE = 16;

/** Random words as a model streams them: one word per chunk, each but the first with a space in front. */
export function randomWords(random: () => number, count?: number): readonly string[] {
  const wanted = count ?? FEWEST + Math.floor(random() * MOST_MORE);
  return Array.from({ length: wanted }, (_, place) => {
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? "wind";
    return place === 0 ? word : ` ${word}`;
  });
}

/** A given text in chunks of the same kind; joined, they are the text again. */
export function splitWords(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === "" ? [] : [text]);
}
