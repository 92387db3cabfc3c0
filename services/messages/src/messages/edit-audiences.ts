import type { Audience, Condition } from '@parley/shared/events';
import type { Channel, ChannelKind } from '@parley/shared/proto';
import { groupBy } from '@parley/shared/values';
import type { Outsiders } from '../channels/outsiders';
import type { ChannelFacts } from './edit-facts';
import type { MessageRow } from './message.sql';

/** A message's channel, and the subscription versions of its receivers. */
export interface Delivered {
  channelId: number;
  sentChannelId: number;
  sentVersion: number;
  movedVersion: number | null;
}

/** A channel of an audience. Without `outsiders`, events of a private channel go to its subscribers only. */
export type AudienceChannel = ChannelKind & { outsiders?: Outsiders };

/**
 * The audience of events about messages of a channel: its current subscribers, and wide queues if it is public; with protected
 * history, those subscribers who have any of the messages. Other users get the event if they have one of the messages, or a flag
 * on one, and may read the channel. The actor always gets it.
 */
export function audienceInChannel(
  channel: AudienceChannel,
  messages: readonly Delivered[],
  actorIds: readonly number[],
  holderIds: readonly number[] = [],
) {
  const { id: channelId, subscriptionVersion: version, isPrivate, isHistoryPublic } = channel;
  const conditions: Condition[] =
    isPrivate && !isHistoryPublic ? [{ channelId, versions: versionsOf(messages), wereSubscribed: true }] : [];
  const audience = { to: 'subscribers', channelId, version, isPublic: !isPrivate, alsoIds: actorIds } as const;
  const audienceHolderIds = isPrivate ? outsideHolders(channel, messages, holderIds) : holderIds;
  return {
    ...audience,
    conditions,
    ...(!isPrivate && { heldAt: sendingsOf(messages), isOpenToGuests: channel.isWebPublic }),
    ...(audienceHolderIds.length > 0 && { holderIds: audienceHolderIds }),
  };
}

/** For a private channel: outsiders who have received any of the messages or have a flag on one. */
function outsideHolders(
  { outsiders }: AudienceChannel,
  messages: readonly Delivered[],
  holderIds: readonly number[],
): number[] {
  const received = versionsOf(messages);
  const holders = (outsiders?.readers ?? []).filter(
    ({ userId, intervals }) =>
      holderIds.includes(userId) ||
      intervals.some(({ fromVersion, toVersion = 0 }) => received.some((at) => at >= fromVersion && at < toVersion)),
  );
  return holders.map(({ userId }) => userId);
}

type PlaceOfMessage = Pick<
  MessageRow,
  'channelId' | 'sentChannelId' | 'sentVersion' | 'movedVersion' | 'participantIds'
>;

/** The same for one message, which may be direct. `channels` includes its channel. */
export function audienceOfMessage(
  message: PlaceOfMessage,
  channels: ReadonlyMap<number, AudienceChannel>,
  actorIds: readonly number[],
  holderIds: readonly number[],
): Audience {
  const { channelId, sentChannelId, sentVersion, movedVersion, participantIds } = message;
  if (channelId === null || sentChannelId === null || sentVersion === null) {
    return { to: 'users', userIds: participantIds ?? [] };
  }
  const channel = channels.get(channelId);
  if (!channel) throw new Error(`realm does not know channel ${channelId}`);
  const delivered = { channelId, sentChannelId, sentVersion, movedVersion };
  return withReceivers(audienceInChannel(channel, [delivered], actorIds, holderIds), message);
}

/** Adds where the message was received: events pods add the flags of those receivers, and show it as read to others. */
export function withReceivers(audience: Audience, message: PlaceOfMessage): Audience {
  const { channelId, sentChannelId, sentVersion, movedVersion } = message;
  if (audience.to !== 'subscribers' || channelId === null || sentChannelId === null || sentVersion === null) {
    return audience;
  }
  const sent = { channelId: sentChannelId, version: sentVersion };
  const wasMoved = channelId !== sentChannelId && typeof movedVersion === 'number';
  return { ...audience, receivedAt: wasMoved ? [sent, { channelId, version: movedVersion }] : [sent] };
}

/** The same for a message that the event moves from the audience's channel to another one. */
export function withReceiversThere(audience: Audience, message: PlaceOfMessage, to: ChannelKind): Audience {
  const [channelId, version] = [to.id, to.subscriptionVersion];
  const movedVersion = channelId === message.sentChannelId ? null : version;
  const moved = withReceivers(audience, { ...message, channelId, movedVersion });
  return moved.to === 'subscribers' ? { ...moved, place: { channelId, version } } : moved;
}

/** Channels and versions of sending, each once: users subscribed there then have received the messages. */
function sendingsOf(messages: readonly Delivered[]) {
  const groups = groupBy(messages, ({ sentChannelId }) => sentChannelId);
  return [...groups].map(([channelId, sent]) => ({
    channelId,
    versions: [...new Set(sent.map(({ sentVersion }) => sentVersion))],
  }));
}

function versionsOf(messages: readonly Delivered[]): number[] {
  const versions = messages.map((message) =>
    message.channelId === message.sentChannelId ? message.sentVersion : (message.movedVersion ?? message.sentVersion),
  );
  return [...new Set(versions)];
}

/** Users for whom messages moved from one channel to the other count as read: subscribers of the first, but not of the second. */
export function audienceOfReadElsewhere(from: ChannelKind, to: ChannelKind): Audience {
  const conditions = [{ channelId: to.id, versions: [to.subscriptionVersion], wereSubscribed: false }];
  return { to: 'subscribers', channelId: from.id, version: from.subscriptionVersion, isPublic: false, conditions };
}

export interface MoveAudiences {
  keepers: Audience;
  /** Null: no user loses the messages. */
  losers: Audience | null;
}

/** Divides the users who have messages of the source channel: those who keep access in the destination, and those who lose it. */
export function audiencesOfMove(
  from: ChannelFacts,
  to: ChannelFacts,
  messages: readonly Delivered[],
  actorId: number,
  holderIds: readonly number[] = [],
): MoveAudiences {
  const source = from.channel as AudienceChannel;
  const target = to.channel as AudienceChannel;
  const all = audienceInChannel(source, messages, [], holderIds);
  if (target.isPrivate) {
    const inTarget = { channelId: target.id, versions: [target.subscriptionVersion] };
    const meeting = (wereSubscribed: boolean) => [...all.conditions, { ...inTarget, wereSubscribed }];
    return {
      keepers: { ...all, isPublic: false, alsoIds: [actorId], conditions: meeting(true) },
      losers: { ...all, exceptIds: [actorId], conditions: meeting(false) },
    };
  }
  const loserIds = guestsLeftBehind(from, target, actorId);
  return {
    keepers: { ...all, isOpenToGuests: target.isWebPublic, alsoIds: [actorId], exceptIds: loserIds },
    losers: loserIds.length > 0 ? { to: 'users', userIds: loserIds } : null,
  };
}

/** Members and the actor may read public channels, subscribed or not; guests only subscribed ones. */
export function guestsLeftBehind(
  { guestIds }: Pick<ChannelFacts, 'guestIds'>,
  target: Pick<Channel, 'isWebPublic'>,
  actorId: number,
): number[] {
  return target.isWebPublic ? [] : guestIds.filter((id) => id !== actorId);
}
