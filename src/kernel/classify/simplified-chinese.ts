/** Traditional characters, each before its simplified form: those that the wordings need. */
const PAIRS =
  "為为書书餘余體体憑凭區区參参發发號号後后響响國国圖图復复嘗尝盡尽當当應应開开關关異异棄弃強强錄录態态戶户報报擁拥攔拦擠挤據据敗败數数斷断無无時时權权極极檢检沒没點点狀状確确積积線线絡络絕绝統统網网節节規规視视訂订認认訪访證证詞词試试該该誤误說说請请調调負负賬账帳账費费資资載载較较輸输達达過过進进違违連连鑰钥錯错長长閉闭問问間间隊队難难預预頻频題题額额飽饱驗验務务動动將将審审內内碼码級级設设會会";
const SIMPLIFIED: ReadonlyMap<string, string> = new Map(
  Array.from({ length: PAIRS.length / 2 }, (_, i) => [PAIRS.charAt(2 * i), PAIRS.charAt(2 * i + 1)]),
);
const TRADITIONAL = new RegExp(`[${[...SIMPLIFIED.keys()].join("")}]`, "g");
/** Words that Taiwan has its own for, after their characters were simplified. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["伺服器", "服务器"],
  ["金钥", "密钥"],
  ["权杖", "令牌"],
  ["存取", "访问"],
  ["支援", "支持"],
  ["网路", "网络"],
  ["逾时", "超时"],
  ["连线", "连接"],
  ["忙碌", "繁忙"],
  ["不足够", "不足"],
]);
const WORD = new RegExp([...WORDS.keys()].join("|"), "g");
const KANA = /[\u3040-\u30ff]/;

/** Chinese in simplified characters, so that each wording is written once. Japanese uses many of the same: it stays as it is. */
export function toSimplified(text: string): string {
  if (text.search(TRADITIONAL) === -1 || KANA.test(text)) return text;
  return text
    .replace(TRADITIONAL, (char) => SIMPLIFIED.get(char) as string)
    .replace(WORD, (word) => WORDS.get(word) as string);
}
