import { onScopeDispose, type Ref, shallowRef } from "vue";
import type { ActivityMessage, ActivityPage, ActivityRecord } from "../../../../wire/http/activity.ts";
import { api } from "../../api/http.ts";
import { followActivity, onJoined } from "../../api/socket.ts";

export interface GatewayCall {
  readonly record: ActivityRecord;
  /** It is the first one that this server has, and it came while the page was open. */
  readonly isFirst: boolean;
}

/** The newest call that came through the gateway. Undefined: none has, as far as is known. */
export function useGatewayCall(): Readonly<Ref<GatewayCall | undefined>> {
  const call = shallowRef<GatewayCall>();
  /** The server was asked, and had none. */
  let isNew = false;

  function take(record: ActivityRecord): void {
    if (record.door !== "gateway") return;
    const known = call.value;
    if (known === undefined) call.value = { record, isFirst: isNew };
    else if (known.record.id === record.id) call.value = { record, isFirst: known.isFirst };
    else if (record.startedAt >= known.record.startedAt) call.value = { record, isFirst: false };
  }

  const hear = ({ records }: ActivityMessage): void => {
    for (const record of records) take(record);
  };
  async function look(): Promise<void> {
    const { records } = await api.get<ActivityPage>("/api/activity?door=gateway&limit=1");
    isNew = records.length === 0;
    for (const record of records) take(record);
  }

  // What came before this page, and what was missed while the connection was lost. Without an answer the stream alone goes on.
  void look().catch(() => undefined);
  const leave = onJoined(() => void look().catch(() => undefined));
  const unfollow = followActivity(hear);
  onScopeDispose(() => {
    leave();
    unfollow();
  });
  return call;
}
