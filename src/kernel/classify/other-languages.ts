import { wording } from "./wording.ts";

/** A relay whose accounts or channels are all taken. */
export const NONE_FREE_ZH = /(?:无|没有)可用的?(?:渠道|通道|账号|账户|节点|令牌|实例|资源|上游)/;

/**
 * The wordings of clients, proxies and agents that do not speak English: Portuguese and Spanish, French, German, Russian,
 * Japanese, Korean, Chinese, in this order. Bounded gaps only (E7). Accents are left out where people leave them out.
 */
export const SAID = {
  rateLimit: wording(
    /l[ií]mite de (?:taxa|tasa|requisi|solicit|petici|velocidad|frecuencia|uso|chamadas)|(?:muitas|demasiadas) (?:requisi|solicit|petici)/,
    /limite de (?:d[ée]bit|requ[êe]tes|taux)|trop de requ[êe]tes|limit (?:überschritten|erreicht)|zu viele anfragen/,
    /превы(?:шен|сил)[^\n]{0,12}(?:лимит|част|огранич|скорост)|слишком много запросов|лимит запросов/,
    /レート制限|リクエスト(?:が多すぎ|数?[^\n]{0,6}(?:制限|上限))|요청이 너무 많|(?:속도|요청)[^\n]{0,4}(?:제한|한도)/,
    /请求(?:速度|频率)?(?:过于|太|过|数)(?:频繁|多|快|量)|频率|频繁|速率|限流|并发|达到(?:了)?(?:上限|限制)|已达上限|使用上限|限额|(?<!不)限速|次数[^\n]{0,6}(?:超|限|用完)/,
  ),
  money: wording(
    /saldo (?:é |es |está )?insuficiente|cr[ée]ditos? (?:insuficiente|esgotad|agotad)|(?:cota|cuota)s?[^\n]{0,16}(?:excedid|esgotad|agotad|superad)/,
    /(?:solde|cr[ée]dits?)[^\n]{0,12}(?:insuffisant|[ée]puis[ée])|quota[^\n]{0,8}(?:d[ée]pass[ée]|[ée]puis[ée])|guthaben|kontingent/,
    /недостаточно (?:средств|баланс|кредит)|(?:баланс|кредит|средств)[^\n]{0,16}(?:исчерп|законч|недостат|пуст)|квот[^\n]{0,12}(?:превыш|исчерп)/,
    /残高[^\n]{0,4}不足|クレジット[^\n]{0,6}(?:不足|残高|使い切)|(?:クォータ|割り当て)[^\n]{0,6}超|잔액|크레딧[^\n]{0,4}부족|할당량[^\n]{0,6}(?:초과|소진)/,
    /(?:额度|余额|余量|配额|积分|点数|费用|账户金额|流量)[^\n]{0,12}(?:不足|用完|用尽|耗尽|已用|超限|为0|超出|超过)|(?:超出|超过)[^\n]{0,8}(?:配额|额度)|欠费|充值|使用上限|限额将在|免费额度/,
    /套餐[^\n]{0,12}(?:用完|到期|耗尽|不足|过期)|未配置订阅|预扣费|(?:需要?|请)先?(?:购买|开通|订阅|续费|升级)[^\n]{0,6}(?:套餐|会员|额度|资源包|订阅)/,
  ),
  period:
    /di[áa]ri[oa]|mensal|mensual|semanal|journalier|mensuel|täglich|monatlich|в (?:день|сутки|месяц)|(?:суточн|дневн|месячн)|1日|月間|일일|하루|每(?:日|天|周|月)|今日|当日|本月|小时[^\n]{0,8}上限/,
  capacity:
    /sobrecarregad|sobrecargad|saturad[oa]|surcharg|überlastet|перегру|過負荷|混雑|混み合|과부하|혼잡|负载|繁忙|拥挤|饱和|过载|资源不足|排队|(?:模型|加载)[^\n]{0,4}加载中|正在加载|启动中|人数过多|访问量/,
  unavailable: wording(/nicht verfügbar|недоступ|利用できません|사용할 수 없|不可用/, NONE_FREE_ZH),
  network: wording(
    /(?:erro|falha|error|fallo|erreur) (?:de |na |en la |do )?(?:rede|conex|red\b|r[ée]seau|connexion)|(?:conex[ãaió]{2}n?|connexion)[^\n]{0,12}(?:recusad|rechazad|refus|perdid|cerrad|interr[ou]mp|reset)/,
    /netzwerkfehler|verbindung[^\n]{0,30}(?:abgelehnt|verweigert|getrennt|unterbrochen|fehl|geschlossen|verloren)/,
    /разорвал|ネットワーク|通信エラー|切断され|네트워크/,
    /网络(?:错误|异常|连接|请求|不|波动)|检查(?:您的|你的)?网络|无法(?:连接|访问)|连接[^\n]{0,8}(?:失败|被拒绝|拒绝|重置|中断|断开|错误|异常|关闭)|积极拒绝|强迫关闭/,
  ),
  timeout:
    /tempo limite|tiempo de espera|zeitlimit|истекло|тайм-?аут|タイムアウト|타임아웃|(?<!✗ )超时|\d秒[^\n]{0,4}(?:未|没有|无)(?:响应|回复|返回)/,
  auth: wording(
    /n[ãa]?o autorizado|non autoris[ée]|autentica[çc]|nicht autorisiert|авториз|認証[^\n]{0,12}(?:無効|失敗|エラー|期限|必要)|인증[^\n]{0,12}(?:실패|만료|오류|필요)/,
    /请(?:先)?(?:输入|填写|设置|配置|提供)[^\n]{0,8}key|(?<!可用的?)令牌|密钥|请先登录|请重新登录|密匙|未授权|未登录|未认证|认证失败|鉴权|身份验证|登录(?:失效|过期)|无效的(?:token|key|api)|(?:api ?key|token|key) ?(?:无效|错误|过期|失效|不正确|未配置|不存在)/,
  ),
  permission:
    /acesso negado|acceso denegado|acc[èe]s (?:refus|interdit)|zugriff verweigert|доступ[^\n]{0,12}(?:запрещ|закры|ограничен)|許可されていません|アクセス(?:が)?拒否|(?:접근|액세스)[^\n]{0,4}거부|访问被拦截|无权|已(?:被)?封禁|封号|被禁用|已停用|没有权限|权限不足|禁止访问|(?:地区|区域|国家)[^\n]{0,6}(?:不支持|不可用|限制)/,
  notFound:
    /model[oe]?[^\n]{0,40}(?:n[ãa]o (?:encontrad|existe)|no (?:existe|se encontr|encontrad)|introuvable|nicht gefunden|existiert nicht)|модел[^\n]{0,40}не (?:найден|существ)|モデル[^\n]{0,40}(?:見つかりません|存在しません)|모델[^\n]{0,40}(?:찾을 수 없|존재하지)|模型(?:名称?)?[^\n]{0,4}(?:错误|无效|不正确)|模型[^\n]{0,20}(?:不存在|未找到|找不到|不支持(?!图|文件|工具|函数|流|视|音|该?参数|此?功能)|已下线|未开通|已弃用)/,
  overflow: wording(
    /(?:contexto|prompt|mensa[gj]em?|entrada|contexte|message|entr[ée]e)[^\n]{0,40}(?:exced|demasiado larg|longo demais|muito long|supera|d[ée]passe|trop long)/,
    /(?:kontext|prompt|eingabe)[^\n]{0,40}(?:überschr|zu lang)|(?:контекст|промпт|сообщени|запрос)[^\n]{0,40}(?:превыша|слишком (?:длин|больш))|превы[^\n]{0,24}контекст|слишком (?:длин|больш)[а-я]{0,6} (?:контекст|промпт|сообщени|запрос)|zu lange[rsn]? (?:kontext|prompt|eingabe)/,
    /(?:コンテキスト|プロンプト|入力|トークン数)[^\n]{0,24}(?:超え|超過|長すぎ)|(?:컨텍스트|프롬프트|입력|토큰)[^\n]{0,24}(?:초과|너무 길)/,
    /上下文[^\n]{0,16}(?:超|过长|限制|溢出|不足)|超(?:出|过|过了)[^\n]{0,24}(?:上下文|最大长度|token|长度)|(?:输入|提示词|prompt|文本|消息|内容)[^\n]{0,12}(?:过长|超长|超出|太长)/,
  ),
  filtered:
    /pol[ií]tica[^\n]{0,24}(?:viola|conte)|violaci[óo]n de|(?:contenido|conte[úu]do)[^\n]{0,16}(?:bloquead|filtrad|inapropiad)|(?:политик|контент)[^\n]{0,24}(?:наруш|заблок)|(?:ポリシー|コンテンツ|安全)[^\n]{0,16}(?:違反|ブロック|フィルタ)|(?:정책|콘텐츠|안전)[^\n]{0,16}(?:위반|차단|필터)|敏感|违规|违禁|不安全|不良信息|内容安全|审核|不合规|涉嫌/,
  server:
    /err(?:or?|eur) (?:\w{1,3} ){0,2}serv[ie]|serverfehler|ошибка (?:на )?сервер|サーバー[^\n]{0,4}エラー|서버[^\n]{0,6}오류|服务(?:器)?[^\n]{0,8}(?:错误|异常|内部|出错|困难|故障|问题)|内部错误|系统(?:错误|异常)|上游/,
  badRequest:
    /(?:par[âa]metro|requisi[çc][ãa]o|solicitud|petici[óo]n)[^\n]{0,16}(?:inv[áa]lid|incorrect|no v[áa]lid)|(?:невер|некоррект)[^\n]{0,12}(?:запрос|параметр)|(?:不正|無効)な(?:リクエスト|パラメータ|引数)|잘못된 (?:요청|매개변수)|参数|请求正在进行中|格式(?:错误|不正确|有误)|不支持|不能为空|必填|不合法|非法(?:参数|请求)|请求体/,
  later:
    /稍后(?:再试|重试|再)|しばらく(?:して|待)|後でもう一度|나중에 다시|잠시 후|mais tarde|m[áa]s tarde|plus tard|später|позже/,
  again:
    /もう一度お試し|再試行|다시 시도|tente novamente|int[ée]ntalo|intente? (?:de nuevo|nuevamente)|r[ée]essay|versuchen sie es erneut|попробуйте|повторите|重新(?:尝试|发送)|再试[一试]|请重试|然后重试|versuchen sie es (?:bitte )?noch ?(?:ein)?mal/,
  empty:
    /没有(?:回复|返回)(?:任何|内容)|(?:返回|响应|回复)(?:内容)?(?:为)?空|空(?:回复|响应)|応答がありません|응답이 없|(?:пуст|неожидан|невер|некоррект|неправил)[а-я]{0,6} (?:формат )?ответ/,
} as const;
