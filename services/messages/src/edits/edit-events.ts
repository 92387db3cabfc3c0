import { type Audience, type DomainEvent, type MessageEdited, messageEdited } from '@parley/shared/events';
import type { ChannelEditFacts } from '@parley/shared/proto';
import { announcedDeletions } from '../deletions/announced-deletions';
import type { MessageRow } from '../messages/message.sql';
import { audienceInChannel, audiencesOfMove, type MoveAudiences } from './edit-audiences';
import type { ContentEdit } from './edit-content';
import type { Edit, HeldMove } from './edit-message';
import type { EditMark } from './edits.sql';
import type { HeldMessage } from './hold-conversations.sql';
import type { MoveOutcome } from './move-with-notices';

type Mentioned = Pick<HeldMessage, 'mentionedIds' | 'topicParticipantIds'>;

/** What clients are told of an edit: those who keep the messages how they changed, the others that they are gone. */
export function editEvents(
  edit: Edit & { mentions: Mentioned },
  { actorId, editedAtMs }: EditMark,
  move: (HeldMove & MoveOutcome) | null,
): DomainEvent[] {
  const { caller, message, facts, content } = edit;
  const messageIds = move?.moved.messages.map(({ id }) => id) ?? [message.id];
  const { keepers, losers } = audiencesOf(edit, move);
  const channel = message.channelId === null ? undefined : facts.channels.get(message.channelId)?.send?.channel;
  const payload: MessageEdited = {
    editorId: actorId,
    editedAtMs,
    messageId: message.id,
    messageIds,
    ...(channel && { channel: { id: channel.id, name: channel.name } }),
    ...(content && { content: contentChange(message, content) }),
    ...(move && { move: moveOf(edit, move) }),
    audience: keepers,
    ...flagFacts(edit, actorId),
  };
  const place = message.channelId === null ? undefined : { id: message.channelId, topic: message.topic };
  const lost = losers ? announcedDeletions(caller.realmId, messageIds, place, losers) : [];
  return [messageEdited(caller.realmId, payload), ...lost];
}

function audiencesOf({ message, facts, plan, caller }: Edit, move: (HeldMove & MoveOutcome) | null): MoveAudiences {
  const { channelId, sentChannelId, sentVersion, movedVersion, participantIds } = message;
  if (channelId === null || sentChannelId === null || sentVersion === null) {
    return { keepers: { to: 'users', userIds: participantIds ?? [] }, losers: null };
  }
  const from = facts.channels.get(channelId) as ChannelEditFacts;
  const delivered = move?.moved.messages ?? [{ channelId, sentChannelId, sentVersion, movedVersion }];
  const to = plan.channelId === undefined ? undefined : facts.channels.get(plan.channelId);
  if (to) return audiencesOfMove(from, to, delivered, caller.userId);
  const channel = from.send?.channel;
  if (!channel) throw new Error(`realm does not know channel ${channelId}`);
  const audience: Audience = audienceInChannel(channel, delivered, [caller.userId]);
  return { keepers: audience, losers: null };
}

function contentChange(message: MessageRow, { next }: ContentEdit) {
  const { content: prevContent, renderedContent: prevRenderedContent } = message;
  const { content, renderedContent, isMeMessage } = next;
  return { prevContent, prevRenderedContent, content, renderedContent, isMeMessage };
}

function moveOf({ plan }: Edit, { message, destination }: HeldMove) {
  return {
    propagateMode: plan.propagateMode,
    prevTopic: message.topic,
    ...(plan.topic === undefined ? {} : { topic: plan.topic, topicLinks: destination.topicLinks }),
    ...(plan.channelId === undefined ? {} : { channelId: plan.channelId }),
  };
}

/** Of the receivers' flags those that are known without asking for their read state. */
function flagFacts({ message, content, mentions }: Edit & { mentions: Mentioned }, actorId: number) {
  const { senderId, isReadBySender, readByIds, mentionsChannel, mentionsTopic } = message;
  const readers = [actorId, ...readByIds, ...(isReadBySender ? [senderId] : [])];
  const { mentionedIds, topicParticipantIds } = content?.next ?? mentions;
  const wildcards = content?.next ?? { mentionsChannel, mentionsTopic };
  return {
    readByIds: [...new Set(readers)],
    mentionedIds,
    mentionsChannel: wildcards.mentionsChannel,
    mentionsTopic: wildcards.mentionsTopic,
    topicParticipantIds,
  };
}
