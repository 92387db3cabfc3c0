import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type DomainEvent, subscriptionPropertyChanged } from '@parley/shared/events';
import type {
  SubscriptionPropertyChange,
  UpdateSubscriptionPropertiesRequest,
  UpdateSubscriptionPropertiesResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/actor';
import { possibleIds } from '../base/possible-values';
import { listVisibility } from '../channel-access/channel-visibility.sql';
import type { Context } from '../context';
import { colorFromInput } from './plan-subscriptions';
import {
  type LockedSubscription,
  lockOwnSubscriptions,
  type OwnSubscription,
  type Properties,
  storeOwnSubscriptions,
} from './subscriptions.sql';

const MAX_CHANGES = 10_000;

/** Changes properties of the caller's subscriptions, in the order of the list: all or nothing. */
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
  const [seen] = await listVisibility(tx, realmId, scope, ctx.clock.now());
  return new BadRequestError(seen ? `Not subscribed to channel ID ${channelId}` : 'Invalid channel ID');
}

function applyAll(
  changes: readonly PropertyChange[],
  present: readonly LockedSubscription[],
  { realmId, userId }: Caller,
): { changed: OwnSubscription[]; events: DomainEvent[] } {
  const propertiesOf = new Map(present.map(({ channelId, properties }) => [channelId, properties]));
  const archivedIds = new Set(present.filter(({ isArchived }) => isArchived).map(({ channelId }) => channelId));
  const changed = new Map<number, Properties>();
  const events: DomainEvent[] = [];
  for (const { channelId, apply, announced } of changes) {
    const before = changed.get(channelId) ?? (propertiesOf.get(channelId) as Properties);
    const after = apply(before);
    if (isSame(before, after)) continue;
    changed.set(channelId, after);
    for (const [property, value] of announced) {
      const isArchived = archivedIds.has(channelId);
      events.push(subscriptionPropertyChanged(realmId, { userId, channelId, isArchived, property, value }));
    }
  }
  return { changed: [...changed].map(([channelId, properties]) => ({ channelId, properties })), events };
}

function isSame(before: Properties, after: Properties): boolean {
  return (Object.keys(after) as (keyof Properties)[]).every((name) => before[name] === after[name]);
}

/** A change of a property, and its announcement by the API's names. */
interface PropertyChange {
  channelId: number;
  apply(properties: Properties): Properties;
  /** In the order of the events. */
  announced: readonly (readonly [property: string, value: boolean | string])[];
}

const BOOLEAN_PROPERTIES = {
  pin_to_top: 'isPinned',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const satisfies Record<string, keyof Properties>;

/** Parses an element of a request; `index` is its position in the list. */
function propertyChangeFromInput(change: SubscriptionPropertyChange, index: number): PropertyChange {
  const { channelId, property } = change;
  if (property === 'color') {
    const color = colorFromInput(change.text ?? '', `subscription_data[${index}]`);
    return { channelId, apply: (properties) => ({ ...properties, color }), announced: [['color', color]] };
  }
  if (property === 'is_muted') return muting(channelId, booleanOf(change));
  if (property === 'in_home_view') return muting(channelId, !booleanOf(change));
  if (!isBooleanProperty(property)) throw new BadRequestError(`Unknown subscription property: ${property}`);
  const value = booleanOf(change);
  return {
    channelId,
    apply: (properties) => ({ ...properties, [BOOLEAN_PROPERTIES[property]]: value }),
    announced: [[property, value]],
  };
}

function isBooleanProperty(property: string): property is keyof typeof BOOLEAN_PROPERTIES {
  return Object.hasOwn(BOOLEAN_PROPERTIES, property);
}

function muting(channelId: number, isMuted: boolean): PropertyChange {
  const apply = (properties: Properties) => ({ ...properties, isMuted });
  // `in_home_view` is the old name with the opposite value; both are announced.
  return {
    channelId,
    apply,
    announced: [
      ['in_home_view', !isMuted],
      ['is_muted', isMuted],
    ],
  };
}

function booleanOf({ property, boolean }: SubscriptionPropertyChange): boolean {
  if (boolean === undefined) throw new BadRequestError(`${property} is not a boolean`);
  return boolean;
}
