import {
  type DomainEvent,
  flagsChanged,
  flagsChangedFor,
  type MessageEdited,
  mentionsChanged,
  messageEdited,
  messagesReturned,
} from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { requireQueried } from '../channels/outsiders';
import { announcedDeletions } from '../deletions/delete-messages';
import {
  type AudienceChannel,
  audienceInChannel,
  audienceOfMessage,
  audienceOfReadElsewhere,
  audiencesOfMove,
  type MoveAudiences,
  withReceivers,
  withReceiversThere,
} from '../messages/edit-audiences';
import { type ChannelFacts, channelKindsOf } from '../messages/edit-facts';
import type { EditMark } from '../messages/edits.sql';
import type { MessageRow } from '../messages/message.sql';
import { starsChanged, unstarred } from '../messages/personal-flags';
import { flagFactsOf, type Mentioned } from '../messages/present-messages';
import { isCounted } from '../read-state/is-read';
import type { ContentEdit } from './edit-content';
import type { Edit, MoveBetween } from './edit-message';
import type { Moved } from './move-messages';
import type { MoveOutcome } from './move-with-notices';

/** The events of an edit: the change for users who keep the messages, a deletion for those who lose them. */
export function editEvents(
  edit: Edit & { mentions: Mentioned },
  { actorId, editedAtMs }: Omit<EditMark, 'editId'>,
  move: (MoveBetween & MoveOutcome) | null,
): DomainEvent[] {
  const { caller, message, facts, content } = edit;
  const messageIds = move?.moved.messages.map(({ id }) => id) ?? [message.id];
  const { keepers, losers } = audiencesOf(edit, move);
  const channel = message.channelId === null ? undefined : facts.channels.get(message.channelId)?.channel;
  const payload: MessageEdited = {
    editorId: actorId,
    editedAtMs,
    messageId: message.id,
    messageIds,
    ...(channel && { channel: { id: channel.id, name: channel.name } }),
    ...(content && { content: contentChange(message, content) }),
    ...(move && { move: moveOf(edit, move) }),
    audience: keepers,
    ...flagFacts(edit),
  };
  const place = message.channelId === null ? undefined : { id: message.channelId, topic: message.topic };
  const lost = losers ? announcedDeletions(caller.realmId, messageIds, place, losers) : [];
  // Stars first: a deletion removes the star, too, so clients would get that twice.
  const stars = move ? unstarred(caller.realmId, move.moved.lostStars) : [];
  const shown = move ? starsChanged(caller.realmId, 'add', move.moved.shownStars) : [];
  const flags = move ? flagEvents(edit, move) : [];
  return [
    messageEdited(caller.realmId, payload),
    ...[...stars, ...lost, ...shown, ...flags],
    ...mentionEvents(edit, editedAtMs),
  ];
}

/** Whom a channel message mentions otherwise than before; a direct message concerns the same people anyway. */
function mentionEvents({ caller: { realmId }, message, content, plan }: Edit, editedAtMs: number): DomainEvent[] {
  const { id, senderId, channelId, sentAtMs } = message;
  if (content === null || channelId === null) return [];
  const { content: text, mentionedIds, mentionsChannel, mentionsTopic, topicParticipantIds } = content.next;
  const addedIds = difference(mentionedIds, message.mentionedIds);
  const removedIds = difference(message.mentionedIds, mentionedIds);
  const hasOtherWildcards = mentionsChannel !== message.mentionsChannel || mentionsTopic !== message.mentionsTopic;
  if (addedIds.length + removedIds.length === 0 && !hasOtherWildcards) return [];
  const { topic = message.topic } = plan;
  // The versions are those of different channels.
  const version = message.sentChannelId === channelId ? message.sentVersion : message.movedVersion;
  return [
    mentionsChanged(realmId, {
      message: { id, channelId, topic, participants: [], content: text, sentAtMs, sender: { id: senderId } },
      ...(version !== null && { subscriptionVersion: version }),
      ...{ readByIds: [senderId], mentionedIds: [...mentionedIds], mentionsChannel, mentionsTopic },
      ...{ topicParticipantIds: [...topicParticipantIds], editedAtMs, addedIds },
      addsWildcard: !message.mentionsChannel && (mentionsChannel || (mentionsTopic && !message.mentionsTopic)),
    }),
  ];
}

function difference(ids: readonly number[], others: readonly number[]): number[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id));
}

/** Flag events of a move to another channel, for users who are not in it. Of a private one, only the actor keeps the messages. */
function flagEvents(
  { caller: { realmId, userId }, facts, plan }: Edit,
  { moved, message }: MoveBetween & MoveOutcome,
): DomainEvent[] {
  const from = facts.channels.get(message.channelId)?.channel;
  const to = plan.channelId === undefined ? undefined : facts.channels.get(plan.channelId)?.channel;
  if (!from || !to) return [];
  const messageIds = moved.messages.map(({ id }) => id);
  const read = { op: 'add', flag: 'read', messageIds } as const;
  const isActorElsewhere = !isCounted(facts.reader.channels.get(to.id));
  return [
    ...(to.isPrivate ? [] : [flagsChangedFor(realmId, audienceOfReadElsewhere(from, to), read)]),
    ...(to.isPrivate && isActorElsewhere ? [flagsChanged(realmId, { ...read, userId, isAll: false })] : []),
    ...returnEvents(realmId, moved, from.id, to.id),
  ];
}

/** Only messages moved before can become unread again, for users who were not in their earlier channel. */
function returnEvents(realmId: number, { messages }: Moved, fromChannelId: number, channelId: number): DomainEvent[] {
  const returned = messages.filter(({ sentChannelId }) => sentChannelId !== fromChannelId);
  if (returned.length === 0) return [];
  const heldSince = returned.reduce(
    (first, { movedVersion }) => Math.min(first, movedVersion ?? 0),
    Number.MAX_SAFE_INTEGER,
  );
  return [messagesReturned(realmId, { messageIds: returned.map(({ id }) => id), fromChannelId, channelId, heldSince })];
}

function audiencesOf(
  { message, facts, plan, caller, content }: Edit,
  move: (MoveBetween & MoveOutcome) | null,
): MoveAudiences {
  const actorIds = [caller.userId, ...(content?.next.mentionedBotIds ?? [])];
  const { holderIds } = move?.moved ?? message;
  if (!move) return { keepers: audienceOfMessage(message, channelKindsOf(facts), actorIds, holderIds), losers: null };
  const from = facts.channels.get(message.channelId as number) as ChannelFacts;
  requireQueried(from.channel as AudienceChannel, holderIds);
  const to = plan.channelId === undefined ? undefined : facts.channels.get(plan.channelId);
  const { messages } = move.moved;
  if (!to) {
    const keepers = audienceInChannel(from.channel as Channel, messages, actorIds, holderIds);
    return { keepers: withReceivers(keepers, message), losers: null };
  }
  const { keepers, losers } = audiencesOfMove(from, to, messages, caller.userId, holderIds);
  return { keepers: withReceiversThere(keepers, message, to.channel as Channel), losers };
}

function contentChange(message: MessageRow, { next }: ContentEdit) {
  const { content: prevContent, renderedContent: prevRenderedContent } = message;
  const { content, renderedContent, isMeMessage } = next;
  return { prevContent, prevRenderedContent, content, renderedContent, isMeMessage };
}

function moveOf({ plan }: Edit, { message, destination }: MoveBetween) {
  return {
    propagateMode: plan.propagateMode,
    prevTopic: message.topic,
    ...(plan.topic === undefined ? {} : { topic: plan.topic, topicLinks: destination.topicLinks }),
    ...(plan.channelId === undefined ? {} : { channelId: plan.channelId }),
  };
}

/** Input for the receivers' flags, with the new content. */
function flagFacts({ message, content, mentions }: Edit & { mentions: Mentioned }) {
  const facts = flagFactsOf(message, mentions);
  if (content === null) return facts;
  const { content: text, mentionedIds, mentionsChannel, mentionsTopic, topicParticipantIds } = content.next;
  return { ...facts, text, mentionedIds, mentionsChannel, mentionsTopic, topicParticipantIds };
}
