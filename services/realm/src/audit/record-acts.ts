import type { ActPerformed } from '@parley/shared/events';
import type { Context } from '../context';
import { appendEntries } from './append-entries';

interface HeardAct {
  /** The same however often it is heard of. */
  id: string;
  realmId: number;
  payload: ActPerformed;
}

/** Records what was done in other services; each act once, however often it is heard of. */
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
