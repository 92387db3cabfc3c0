import type { Channel, GetOwnStateRequest, KnownChannel, OwnState, RegisterState } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { VISITOR_ID } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { loadActor } from '../actors/load-actor';
import { listManagedBots } from '../bots/bots.sql';
import { hasMetadataAccess } from '../channels/permissions';
import { viewerOf } from '../channels/viewer';
import type { Context } from '../context';
import { getVisitorState } from '../visitors/get-visitor-state';
import type { ChannelsOf } from './known-channels';
import { organizationState } from './load-organization';
import { NOTHING_SHARED, type OrganizationState } from './organization-state';
import { personalState } from './personal-state';
import { loadPersonalState } from './personal-state.sql';
import { listSubscriptionStates, type SubscriptionState } from './register.sql';

/** What is read for many callers at once. */
export interface Readers {
  organizationOf: (realmId: number) => Promise<OrganizationState>;
  channelsOf: ChannelsOf;
}

/** The realm's part of POST /register but for what many are told alike. */
export async function getOwnState(
  ctx: Context,
  { organizationOf, channelsOf }: Readers,
  { realmId, userId }: Caller,
  { includesChannels }: GetOwnStateRequest,
): Promise<OwnState> {
  if (userId === VISITOR_ID) return getVisitorState(ctx, { organizationOf, channelsOf }, realmId);
  const [organization, channels, actor, subscriptions, personal, bots] = await Promise.all([
    organizationOf(realmId),
    includesChannels ? channelsOf(realmId).then((known) => known.channels) : [],
    loadActor(ctx.db, { realmId, userId }, ctx.clock.now()),
    listSubscriptionStates(ctx.db, realmId, userId),
    loadPersonalState(ctx.db, realmId, userId),
    listManagedBots(ctx.db, realmId, userId),
  ]);
  const { facts, lists, statuses, defaultChannelIds, defaultChannelGroups } = organization;
  const state: RegisterState = {
    ...organizationState(ctx, facts, actor),
    ...NOTHING_SHARED,
    ownUser: actor.user,
    defaultChannelIds,
    defaultChannelGroups,
    lists,
    personal: personalState(actor.user, personal, statuses),
    bots: bots.map(({ bot }) => bot),
  };
  return { state, channels: knownChannels(channels, actor, subscriptions) };
}

function knownChannels(
  channels: readonly Channel[],
  actor: Actor,
  subscriptions: readonly SubscriptionState[],
): KnownChannel[] {
  const subscriptionTo = new Map(subscriptions.map((subscription) => [subscription.channelId, subscription]));
  const known: KnownChannel[] = [];
  for (const channel of channels) {
    const { isSubscribed = false, properties } = subscriptionTo.get(channel.id) ?? {};
    if (!hasMetadataAccess(channel, viewerOf(actor, channel, isSubscribed))) continue;
    known.push({
      channelId: channel.id,
      isSubscribed,
      ...(properties && { subscription: { channel: null, ...properties } }),
    });
  }
  return known;
}
