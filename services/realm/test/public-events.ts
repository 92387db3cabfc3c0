import {
  type Audience,
  type ClientView,
  domainEvents,
  type EventDeclaration,
  type EventKind,
} from '@parley/shared/events';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../src/context';

const VIEW: ClientView = { applyMarkdown: true, clientGravatar: false, isEmptyTopicUnderstood: true, capabilities: [] };

export interface TestEvent {
  audience: Audience;
  event: Record<string, unknown>;
}

/** The public events of one type for a user of an organization, in order. */
export async function publicEvents(
  ctx: Context,
  { realmId }: Caller,
  type: string,
  capabilities: readonly string[] = [],
): Promise<TestEvent[]> {
  const view = { ...VIEW, capabilities };
  const rows = await ctx.db.query<{ kind: EventKind; payload: string }>(
    'select kind, payload from outbox where realm_id = $1 order by id',
    [realmId],
  );
  return rows.flatMap(({ kind, payload: json }) => {
    const payload: unknown = JSON.parse(json);
    const { publicShapes } = domainEvents[kind] as EventDeclaration<string, unknown>;
    return publicShapes
      .filter((shape) => shape.type === type && shape.isFor?.(payload, view) !== false)
      .map((shape) => ({ audience: shape.audience(payload), event: shape.render(payload, view) }))
      .filter(({ audience }) => audience.to !== 'users' || audience.userIds.length > 0);
  });
}

/** Updates of users, without new ones. */
export async function personUpdates(ctx: Context, caller: Caller): Promise<TestEvent[]> {
  return (await publicEvents(ctx, caller, 'realm_user')).filter(({ event }) => event['op'] === 'update');
}

/** Payloads of the organization's domain events of one kind, in order. */
export async function payloadsOf<Payload>(ctx: Context, { realmId }: Caller, kind: EventKind): Promise<Payload[]> {
  const rows = await ctx.db.query<{ payload: string }>(
    'select payload from outbox where realm_id = $1 and kind = $2 order by id',
    [realmId, kind],
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}
