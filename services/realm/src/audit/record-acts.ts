import type { ConsumedEvent } from '@parley/shared/bus';
import type { ActPerformed, InvitationsChanged } from '@parley/shared/events';
import type { RecordActRequest, RecordActResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { appendEntries } from './chain';

/** Records an operator's act by a service without a database on a user, in the caller's name; once for each key. */
export async function recordAct(
  ctx: Context,
  { realmId, userId, requestId }: Caller,
  { key, name, userId: subjectId, before, after }: RecordActRequest,
): Promise<RecordActResponse> {
  const payload = {
    ...{ name, actor: { kind: 'operator' as const, id: userId }, requestId },
    ...{ kind: 'user', ids: possibleIds([subjectId]), before: JSON.parse(before), after: JSON.parse(after) },
  };
  await recordActs(ctx, [{ id: `call:${key}`, realmId, payload }]);
  return {};
}

/** Records acts on invitations, which the invites service announces with the changed list. */
export async function recordInvitationActs(
  ctx: Context,
  events: readonly ConsumedEvent<InvitationsChanged>[],
): Promise<void> {
  await recordActs(
    ctx,
    events.flatMap(({ id, realmId, payload: { act } }) => {
      if (!act) return [];
      const { actorId, ...rest } = act;
      return [{ id, realmId, payload: { ...rest, actor: { kind: 'user' as const, id: actorId } } }];
    }),
  );
}

interface HeardAct {
  /** The same on redelivery. */
  id: string;
  realmId: number;
  payload: ActPerformed;
}

/** Records acts of other services, each once, also on redelivery. */
export async function recordActs(ctx: Context, acts: readonly HeardAct[]): Promise<void> {
  for (const { id: event, realmId, payload } of acts) {
    const { name: act, actor, requestId, address, kind, ids, before, after } = payload;
    const origin = address === undefined ? {} : { address };
    const change = { ...(before && { before }), ...(after && { after }) };
    const effects = ids.map((id) => ({ subject: { kind, id }, ...change }));
    const deed = { act, actor, requestId, ...origin, event };
    await ctx.db.transaction((tx) => appendEntries(ctx, tx, realmId, deed, effects));
  }
}
