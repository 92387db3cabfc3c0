import { createHash } from 'node:crypto';
import type { Channel, ChannelObject, ChannelObjects, RegisterState, Subscription, User } from '@parley/shared/proto';
import type { Caller, Implementation } from '@parley/shared/rpc';
import { isEmailVisibleTo } from '@parley/shared/values';
import { publicBot, publicChannel, publicGroup, publicUser, visitorsUser } from '@parley/shared/wire';

type Parts = 'getOwnState' | 'getUserLists' | 'getGroupList' | 'getChannelObjects' | 'getSubscriberLists';

/** Realm's answers for a state in parts, as loaded for callers other than guests. */
export function stateInParts(whole: Implementation<'realm'>['getRegisterState']): Pick<Implementation<'realm'>, Parts> {
  const stateFor = async (call: unknown) =>
    (await whole(call as Caller, { includesSubscribers: true })) as RegisterState;
  return {
    async getOwnState(call, { presences }) {
      const state = (await whole(call as Caller, {
        includesSubscribers: true,
        ...(presences && { presences }),
      })) as RegisterState;
      const knownChannels = channelsOf(state).map(({ channelId, known }) => ({ channelIds: [channelId], ...known }));
      const version = versionOf(await stateFor(call));
      return {
        state,
        knownChannels,
        channels: [],
        bots: json(state.bots.map(publicBot)),
        versions: { users: version, groups: version, channels: version, subscribers: version },
      };
    },
    async getUserLists(call, { viewerRole, clientGravatar, includesProfiles, isDivided, isForVisitors }) {
      const state = await stateFor(call);
      const { users: unsorted, lists } = state;
      const users = [...unsorted].sort((a, b) => a.id - b.id);
      const profiles = new Map(lists?.profiles.map(({ userId, values }) => [userId, values]));
      const show = (user: User) => {
        const isDeliveryEmailShown = isEmailVisibleTo(viewerRole, user.emailAddressVisibility);
        const view = { isDeliveryEmailShown, clientGravatar, isActivityShown: !isDivided };
        if (isForVisitors) return visitorsUser(user);
        return publicUser(user, view, includesProfiles ? (profiles.get(user.id) ?? []) : null);
      };
      const people = users.filter(({ isSystemBot }) => !isSystemBot);
      return {
        version: versionOf(state),
        isKnown: false,
        users: json(people.filter(({ isActive }) => isActive || !isDivided).map(show)),
        nonActiveUsers: json(people.filter(({ isActive }) => !isActive && isDivided).map(show)),
        systemBots: json(users.filter(({ isSystemBot }) => isSystemBot).map(show)),
      };
    },
    async getGroupList(call, { includesDeactivated }) {
      const state = await stateFor(call);
      const { groups } = state;
      return {
        version: versionOf(state),
        isKnown: false,
        groups: json(groups.filter((group) => includesDeactivated || !group.isDeactivated).map(publicGroup)),
      };
    },
    async getChannelObjects(call) {
      const state = await stateFor(call);
      return { ...channelObjects(channelsOf(state).map(({ channel }) => channel)), version: versionOf(state) };
    },
    async getSubscriberLists(call) {
      const state = await stateFor(call);
      const { channelSubscribers } = state;
      const lists = channelSubscribers.map(({ channelId, userIds }) => ({
        channelId,
        userIds: json(userIds),
        isPartial: false,
      }));
      return { version: versionOf(state), isKnown: false, lists };
    },
  };
}

/** Each state is of another moment. */
function versionOf(state: RegisterState): string {
  return createHash('sha256').update(JSON.stringify(state)).digest('hex');
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function channelsOf({ subscriptions, unsubscribed, neverSubscribed }: RegisterState) {
  const subscribed = (isSubscribed: boolean) => (subscription: Subscription) => {
    const channel = subscription.channel as Channel;
    return { channelId: channel.id, channel, known: { isSubscribed, subscription } };
  };
  return [
    ...subscriptions.map(subscribed(true)),
    ...unsubscribed.map(subscribed(false)),
    ...neverSubscribed.map((channel) => ({ channelId: channel.id, channel, known: { isSubscribed: false } })),
  ].sort((a, b) => a.channelId - b.channelId);
}

/** Realm's answer for these channels. */
export function channelObjects(channels: readonly Channel[]): ChannelObjects {
  return { version: '1', isKnown: false, channels: channels.map(toObject) };
}

function toObject(channel: Channel): ChannelObject {
  const { first_message_id: _id, ...known } = publicChannel(channel);
  const { id, isArchived } = channel;
  return { id, isArchived, json: json(known) };
}
