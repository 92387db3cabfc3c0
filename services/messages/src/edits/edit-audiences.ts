import type { Audience, Condition } from '@parley/shared/events';
import type { Channel, ChannelEditFacts } from '@parley/shared/proto';

/** Where a message is, and by which subscription versions it came to those who have it. */
export interface Delivered {
  channelId: number;
  sentChannelId: number;
  sentVersion: number;
  movedVersion: number | null;
}

type Kind = Pick<Channel, 'id' | 'subscriptionVersion' | 'isPrivate' | 'isHistoryPublic'>;

/**
 * Who hears of what happens to messages of a channel: its subscribers of now, and wide queues where it is public; where history is
 * protected, those of them who have any of the messages. The actor is told, too.
 */
export function audienceInChannel(channel: Kind, messages: readonly Delivered[], actorIds: readonly number[]) {
  const { id: channelId, subscriptionVersion: version, isPrivate, isHistoryPublic } = channel;
  const conditions: Condition[] =
    isPrivate && !isHistoryPublic ? [{ channelId, versions: versionsOf(messages), wereSubscribed: true }] : [];
  const audience = { to: 'subscribers', channelId, version, isPublic: !isPrivate, alsoIds: actorIds } as const;
  return { ...audience, conditions };
}

function versionsOf(messages: readonly Delivered[]): number[] {
  const versions = messages.map((message) =>
    message.channelId === message.sentChannelId ? message.sentVersion : (message.movedVersion ?? message.sentVersion),
  );
  return [...new Set(versions)];
}

export interface MoveAudiences {
  keepers: Audience;
  /** Null: nobody loses anything. */
  losers: Audience | null;
}

/** Who of those that have messages of one channel keeps them in the other, and who loses them. */
export function audiencesOfMove(
  from: ChannelEditFacts,
  to: ChannelEditFacts,
  messages: readonly Delivered[],
  actorId: number,
): MoveAudiences {
  const source = from.channel as Channel;
  const target = to.channel as Channel;
  const all = audienceInChannel(source, messages, []);
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
    keepers: { ...all, alsoIds: [actorId], exceptIds: loserIds },
    losers: loserIds.length > 0 ? { to: 'users', userIds: loserIds } : null,
  };
}

/** Members may read what is public, subscribed or not, and so may whoever moves it; guests only where they are subscribed. */
export function guestsLeftBehind(
  { guestIds }: Pick<ChannelEditFacts, 'guestIds'>,
  target: Pick<Channel, 'isWebPublic'>,
  actorId: number,
): number[] {
  return target.isWebPublic ? [] : guestIds.filter((id) => id !== actorId);
}
