import type { Channel, RegisterState, Subscription, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isGuest } from '@parley/shared/values';
import { hasMetadataAccess } from '../channels/permissions';
import type { Context } from '../context';
import { listGroups } from '../groups/groups.sql';
import { toGroups } from '../groups/to-group';
import { renderProfile } from '../profile-values/render-profile-value';
import { findRealm } from '../realms/realms.sql';
import { listUsers } from '../users/users.sql';
import { loadOrganizationLists } from './organization-lists.sql';
import { personalState } from './personal-state';
import { loadPersonalState } from './personal-state.sql';
import { type ChannelWithSubscription, listChannelsWithSubscription } from './register.sql';

/** The realm's part of POST /register: everything of the organization that the caller may see. */
export async function getRegisterState(ctx: Context, { realmId, userId }: Caller): Promise<RegisterState> {
  const [realm, users, channels, groups, personal, lists] = await Promise.all([
    findRealm(ctx.db, realmId),
    listUsers(ctx.db, realmId),
    listChannelsWithSubscription(ctx.db, realmId, userId),
    listGroups(ctx.db, realmId, ctx.clock.now()),
    loadPersonalState(ctx.db, realmId, userId),
    loadOrganizationLists(ctx.db, realmId),
  ]);
  const ownUser = users.find(({ id }) => id === userId);
  if (!ownUser) throw new Error(`organization ${realmId} has no user ${userId}, in whose name it was called`);
  const visible = channels.filter((channel) => isVisible(channel, ownUser));
  return {
    realm,
    ownUser,
    users,
    ...channelLists(visible, ownUser),
    groups: toGroups(groups),
    personal: personalState(ownUser, personal),
    lists: { ...lists, profiles: lists.profiles.map(renderProfile) },
  };
}

function isVisible({ channel, subscription }: ChannelWithSubscription, { id, role }: User): boolean {
  return hasMetadataAccess(channel, { id, role, isSubscribed: subscription?.isActive === true });
}

/** Each channel is in one of the first three lists. */
function channelLists(channels: readonly ChannelWithSubscription[], ownUser: User) {
  const subscriptions: Subscription[] = [];
  const unsubscribed: Subscription[] = [];
  const neverSubscribed: Channel[] = [];
  for (const { channel, subscription } of channels) {
    if (subscription === null) {
      neverSubscribed.push(channel);
      continue;
    }
    const { isActive, ...properties } = subscription;
    (isActive ? subscriptions : unsubscribed).push({ channel, ...properties });
  }
  const defaults = channels.filter(({ isDefault, channel }) => isDefault && !channel.isArchived);
  const defaultChannelIds = isGuest(ownUser.role) ? [] : defaults.map(({ channel }) => channel.id);
  return { subscriptions, unsubscribed, neverSubscribed, defaultChannelIds };
}
