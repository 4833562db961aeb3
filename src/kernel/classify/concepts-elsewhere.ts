import type { Concept } from "./concepts.ts";

/**
 * The same concepts in stems of other languages: Portuguese, Spanish, French, German, Italian, Russian and Ukrainian, Polish,
 * Turkish, Vietnamese, Japanese, Korean, Chinese. Stems, because most of these languages bend their words.
 */
const REQUESTS =
  /requis|solicit|petici|requ[êe]t|anfrag|richiest|запрос|запит|żąda|zapyta|istek|yêu cầu|リクエスト|요청|请求|调用/;
const TOO_MANY =
  /muit[oa]s|demasiad|\btrop\b|zu viele|tropp[eio]|слишком (?:много|част)|забагато|zbyt (?:wiele|często)|çok fazla|quá nhiều|多すぎ|頻繁|너무 (?:많|자주)|过[快多于]|太[快多]|频繁/;
const KEY =
  /api[ -]?key|chave|clave|cl[ée] (?:d')?api|schlüssel|chiave|ключ|токен|klucz|anahtar|khóa|キー|トークン|키|密钥|凭证|凭据|令牌|token (?:de |d')?acc|zugriffstoken|토큰|аутентиф|auth?entifi|身份/;
const BAD_KEY =
  /inv[áa]l|incorr|\bn[oã][no]? (?:[eèé]s? )?v[áa]lid|ungültig|falsch|fehlt|невер|невір|неправ|истек|не найд|недейств|недійс|отсутств|nieprawid|brak|geçersiz|eksik|không hợp lệ|thiếu|無効|期限|正しく|間違|設定|올바르지|유효하지|잘못|만료|없|无效|过期|失效|未提供|未配置|请先|请检查|manqua|mancan|ausente|no configurad|vac[ií]|vazi|\bvide|leer\b|пуст|некорр|空|비어|为空|不正确/;
const LIMIT =
  /l[íi]mit|лимит|ліміт|cuota|\bcota\b|quota|kontingent|kota\b|hạn mức|上限|한도|额度|次数|配额|квот|할당량|クォータ|クレジット|puntos|pontos|积分|баллы|포인트|ポイント/;
const USED_UP =
  /agotad|esgotad|[ée]puis|esaurit|aufgebraucht|erschöpft|исчерп|вичерп|wyczerp|tüken|aşıl|hết|達し|超え|초과|소진|用完|用尽|耗尽|已达|alcanz|ating|attein|erreicht|raggiun|достиг|osiągn|ulaş|đạt|使い果|도달/;
const CONNECT =
  /\bcone[cx]|(?<!re)connect|connet|connes|сети|verbind|подключ|соедин|підключ|з'єднан|połącz|bağlan|kết nối|接続|연결|连接/;
const NOT_CONNECTED =
  /n[ãa]o foi|no se (?:pud|pued)|no pud|impossib|nicht|fehlg|не удал|не удаё|не вдал|невозмож|nie (?:można|udało)|[aı]lamad|olmadı|không|できま|できな|失敗|없|실패|失败|无法|\berr|ошиб|прерв|закры|сброш|отклон|разорв|потерян|エラー|拒否|切断|거부|끊|오류/;
const SERVER =
  /servi[dzcç]|serveur|\bserver|сервер|serwer|sunucu|máy chủ|サーバ|서버|服务|model[oel]?\b|modèle|модел|模型/;
const BUSY =
  /sobrecarg|surcharg|überlast|перегруж|перевант|przeciąż|meşgul|quá tải|混雑|過負荷|혼잡|과부하|繁忙|拥挤|负载|ocupad|occup[ée]|indispon|no (?:est[áa] )?dispon|non (?:è )?dispon|nicht verfügbar|недоступ|niedostęp|人数较多|访问量/;
const MODEL = /model[oel]?\b|modèle|модел|モデル|모델|模型|接口|endpoint/;
const MISSING =
  /n[oã]o? (?:se )?(?:ha )?encontr|não existe|no existe|introuv|n'existe pas|nicht (?:gefund|vorhand)|existiert nicht|non (?:trov|esist)|не (?:найд|знайд|сущ|існу)|nie (?:znal|istn)|bulunama|không (?:tìm|tồn)|見つかり|存在しま|찾을 수 없|존재하지|找不到|不存在|未找到|не может найти|puede encontrar|encontrou|見つける|lässt sich nicht finden|无法找到/;
const TIME = /tempo\b|tiempo|temps|d[ée]lai|zeit|врем|срок|интервал|час очік|czas|zaman|thời gian|時間|시간|时间/;
const TIME_OVER =
  /esgot|agot|exced|d[ée]pass|expir|überschr|abgelauf|истек|превы[шс]|перевищ|scadut|superat|przekrocz|aşım|hết|超|초과|limite\b/;
const INTERNAL = /intern(?!al|et)|внутр|wewnętrz|dahili|nội bộ|内部|내부/;
const ERROR = /\berro|erreur|fehler|errore|ошибк|помилк|błąd|hata|lỗi|エラー|오류|错误/;
const ANSWER =
  /respuesta|resposta|r[ée]ponse|antwort|risposta|ответ|содержимо|відповід|odpowied|yanıt|phản hồi|応答|回答|응답|响应|回复|返回/;
const UNUSABLE =
  /vac[ií]|vazi|\bvide|\bleer|vuot|пуст|порожн|\bpust|boş|trống|空|비어|解析|inv[áa]lid|ungültig|некорр|неожид|不是有效|格式/;
const RIGHTS = /permis|berechtig|autoriza|доступ|\bправ|uprawn|izni|quyền|権限|권한|权限/;
const NO_RIGHTS =
  /\bsem |\bsin |no t(?:iene|em)|keine|(?<!р)нет |нема|brak|yok|không có|ありません|없|没有|无|não tem|ne dispos/;
const CONTEXT =
  /context[oe]?|kontext|контекст|ngữ cảnh|コンテキスト|컨텍스트|上下文|token|longitud|comprimento|longueur|länge|lunghezza|длин|długoś|uzunlu|độ dài|長さ|길이|长度/;
const TOO_LONG =
  /exced|d[ée]pass|überschr|zu lang|превыш|слишком длин|перевищ|supera|przekrocz|aşı|vượt|超|초과|过长|mayor|超出/;

const CONTENT =
  /conte[núú][tiú]?d?o?\b|contenid|conte[úu]d|inhalt|contenu|содерж|контент|вміст|treść|içerik|nội dung|コンテンツ|内容|콘텐츠|내용|图像|画像|imagen|imagem|bild|изображен|이미지|запрос|リクエスト|请求|输入/;
const REFUSED =
  /bloque|blocc|bloqu[ée]|gesperrt|blockiert|запрещ|забло|zablok|engellen|yasak|bị chặn|bị cấm|禁じ|ブロック|차단|금지|被阻|被拦|违禁|不当|prohibid|proibid|interdit|verboten|vietat|неподоб|unangemess/;
const PLACE =
  /ubicaci|localiza[çc]|país|pays|région|regi[óo]n|emplacement|standort|posizione|местополож|регион|lokalizac|konum|vị trí|地域|位置|지역|위치|地区|所在/;
const NOT_SERVED =
  /no es compat|n[ãa]o suporta|no (?:se )?admit|pas en charge|non support|nicht unterst|не поддерж|nie obsług|desteklemi|không hỗ trợ|サポートして|지원하지|不支持/;
const NOT_ENABLED =
  /n[ãa]o (?:est[áa] )?(?:habilitad|ativad)|no (?:est[áa] )?(?:habilitad|activad)|pas activ|nicht (?:aktiviert|freigeschaltet)|non (?:è )?(?:attiv|abilit)|не (?:активир|включ|доступна для)|有効化されて|有効になって|활성화되지|未(?:开通|启用|激活|授权)/;
const PAGE =
  /página|page\b|pagina|seite\b|страниц|stron|sayfa|trang|ページ|リソース|페이지|리소스|页面|资源|recurso|ressource|ресурс/;

export const CONCEPTS_ELSEWHERE: readonly Concept[] = [
  { kind: "rate_limit", subject: REQUESTS, state: TOO_MANY },
  { kind: "auth", subject: KEY, state: BAD_KEY },
  { kind: "usage_limit", subject: LIMIT, state: USED_UP },
  { kind: "permission", subject: RIGHTS, state: NO_RIGHTS },
  { kind: "permission", subject: MODEL, state: NOT_ENABLED },
  { kind: "permission", subject: PLACE, state: NOT_SERVED },
  { kind: "content_filter", subject: CONTENT, state: REFUSED },
  { kind: "not_found", subject: MODEL, state: MISSING },
  { kind: "not_found", subject: PAGE, state: MISSING },
  { kind: "context_overflow", subject: CONTEXT, state: TOO_LONG },
  { kind: "timeout", subject: TIME, state: TIME_OVER },
  { kind: "overloaded", subject: SERVER, state: BUSY },
  { kind: "stream_broken", subject: ANSWER, state: UNUSABLE },
  { kind: "server", subject: INTERNAL, state: ERROR },
  { kind: "network", subject: CONNECT, state: NOT_CONNECTED },
];
