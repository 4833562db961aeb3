import type { FailureKind } from "../model/failure.ts";

interface Family {
  readonly providers: RegExp;
  readonly kinds: Readonly<Partial<Record<FailureKind, string>>>;
}

/** Providers that number their errors. The same number means another thing elsewhere, so it needs the provider's name. */
const FAMILIES: readonly Family[] = [
  {
    // https://docs.bigmodel.cn/cn/faq/api-code
    providers: /zhipu|bigmodel|glm|z\.?ai\b/,
    kinds: {
      auth: "1000 1001 1002 1003 1004",
      permission: "1110 1111 1112 1120 1121 1220 1311 1313",
      usage_limit: "1113 1304 1308 1309 1310",
      bad_request: "1210 1213 1214 1215",
      not_found: "1211 1212 1221 1222",
      server: "500 1200 1230 1231",
      network: "1234",
      context_overflow: "1261",
      content_filter: "1300 1301",
      rate_limit: "1302 1303",
      overloaded: "1305 1312",
    },
  },
  {
    // https://platform.minimax.io/docs/api-reference/errorcode
    providers: /minimax|hailuo/,
    kinds: {
      server: "1000 1013 1024 1033",
      timeout: "1001",
      rate_limit: "1002 1039 1041 2045",
      auth: "1004 2049",
      usage_limit: "1008 2056",
      content_filter: "1026 1027 1301",
      bad_request: "1042 2013",
    },
  },
  {
    // https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh
    providers: /baidu|qianfan|ernie|wenxin/,
    kinds: {
      server: "1 336000",
      overloaded: "2 336100",
      rate_limit: "4 18 336501 336502",
      permission: "6",
      not_found: "3",
      auth: "13 14 15 110 111 336004",
      usage_limit: "17 19",
      bad_request: "100 336001 336002 336003",
      timeout: "336005",
      context_overflow: "336007",
    },
  },
  {
    // https://www.xfyun.cn/doc/spark/接口说明.html
    providers: /spark|xfyun|iflytek/,
    kinds: {
      rate_limit: "10007 11202 11203",
      content_filter: "10013 10014 10019",
      context_overflow: "10907",
      auth: "10313",
      permission: "11200",
      usage_limit: "11201",
      overloaded: "10008 10010 10011 10110",
    },
  },
  {
    // https://developers.cloudflare.com/workers-ai/platform/errors/
    providers: /cloudflare|workers-ai/,
    kinds: {
      usage_limit: "3036",
      overloaded: "3040",
      timeout: "3007 3046",
      context_overflow: "3006 5021",
      not_found: "5007 5018 7000 7003",
      bad_request: "5004 5005 3042",
      permission: "5016 3023",
      auth: "10000",
    },
  },
  {
    // https://www.coze.com/docs/developer_guides/coze_error_codes
    providers: /coze/,
    kinds: {
      bad_request: "4000 4001 4002",
      usage_limit: "4008 4009 4010 4011 4012",
      rate_limit: "4013",
      overloaded: "4014 4015",
      auth: "4100",
      permission: "4101",
      not_found: "4200",
      server: "5000",
    },
  },
];

/** "insufficient balance (1008)", "[1302][…]", "code: 1113", “code”:“1214”. Shorter numbers are statuses and counts. */
const NUMBER_IN_TEXT =
  /[[(]["']?(\d{4,6})["']?[\])]|code["'”]?\s?[:=：]\s?["'“]?(\d{4,6}\b|\d{1,3}(?=["']?, ?["']?(?:error_)?msg\b))/gi;
const MOST_NUMBERS = 8;

/** The first number of the provider's own in a text. */
export function numberInText(text: string, provider: string): string | undefined {
  if (!FAMILIES.some(({ providers }) => providers.test(provider))) return undefined;
  let count = 0;
  for (const [, bracketed, named] of text.matchAll(NUMBER_IN_TEXT)) {
    const code = bracketed ?? (named as string);
    if (kindOfNumber(code, provider) !== undefined) return code;
    if (++count >= MOST_NUMBERS) break;
  }
  return undefined;
}

/** The kind that a provider's own error number stands for. */
export function kindOfNumber(code: string, provider: string): FailureKind | undefined {
  for (const { providers, kinds } of FAMILIES) {
    if (!providers.test(provider)) continue;
    for (const [kind, codes] of Object.entries(kinds)) {
      if (` ${codes} `.includes(` ${code} `)) return kind as FailureKind;
    }
  }
  return undefined;
}
