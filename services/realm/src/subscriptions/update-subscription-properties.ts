import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type DomainEvent, subscriptionPropertyChanged } from '@parley/shared/events';
import type { UpdateSubscriptionPropertiesRequest, UpdateSubscriptionPropertiesResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import { listSight } from '../channels/channel-sight.sql';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import {
  type HeldSubscription,
  lockOwnSubscriptions,
  type OwnSubscription,
  storeOwnSubscriptions,
} from './own-subscriptions.sql';
import { type PropertyChange, propertyChangeFromInput } from './subscription-property';
import type { Properties } from './subscriptions.sql';

const MAX_CHANGES = 10_000;

/** Changes what the caller has set for channels they are subscribed to, in the order of the list; all of it, or nothing. */
export async function updateSubscriptionProperties(
  ctx: Context,
  caller: Caller,
  request: UpdateSubscriptionPropertiesRequest,
): Promise<UpdateSubscriptionPropertiesResponse> {
  const { realmId, userId } = caller;
  if (request.changes.length > MAX_CHANGES) throw new BadRequestError(`Too many changes (limit: ${MAX_CHANGES})`);
  const changes = request.changes.map(propertyChangeFromInput);
  await ctx.db.transaction(async (tx) => {
    await loadActor(tx, caller, ctx.clock.now());
    const channelIds = [...new Set(changes.map(({ channelId }) => channelId))];
    const present = await lockOwnSubscriptions(tx, realmId, userId, possibleIds(channelIds));
    const missingId = channelIds.find((id) => !present.some(({ channelId }) => channelId === id));
    if (missingId !== undefined) throw await refusal(ctx, tx, caller, missingId);
    const { changed, events } = applyAll(changes, present, caller);
    if (changed.length === 0) return;
    await storeOwnSubscriptions(tx, realmId, userId, changed);
    await announce(tx, ...events);
  });
  return {};
}

async function refusal(ctx: Context, tx: Transaction, { realmId, userId }: Caller, channelId: number): Promise<Error> {
  const scope = { userIds: [userId], channelIds: possibleIds([channelId]) };
  const [seen] = await listSight(tx, realmId, scope, ctx.clock.now());
  return new BadRequestError(seen ? `Not subscribed to channel ID ${channelId}` : 'Invalid channel ID');
}

function applyAll(
  changes: readonly PropertyChange[],
  present: readonly HeldSubscription[],
  { realmId, userId }: Caller,
): { changed: OwnSubscription[]; events: DomainEvent[] } {
  const propertiesOf = new Map(present.map(({ channelId, properties }) => [channelId, properties]));
  const archivedIds = new Set(present.filter(({ isArchived }) => isArchived).map(({ channelId }) => channelId));
  const changed = new Map<number, Properties>();
  const events: DomainEvent[] = [];
  for (const { channelId, apply, told } of changes) {
    const before = changed.get(channelId) ?? (propertiesOf.get(channelId) as Properties);
    const after = apply(before);
    if (isSame(before, after)) continue;
    changed.set(channelId, after);
    for (const [property, value] of told) {
      const isArchived = archivedIds.has(channelId);
      events.push(subscriptionPropertyChanged(realmId, { userId, channelId, isArchived, property, value }));
    }
  }
  return { changed: [...changed].map(([channelId, properties]) => ({ channelId, properties })), events };
}

function isSame(before: Properties, after: Properties): boolean {
  return (Object.keys(after) as (keyof Properties)[]).every((name) => before[name] === after[name]);
}
