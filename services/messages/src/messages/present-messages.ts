import { Slices } from '@parley/shared/batch';
import type { FlagFacts } from '@parley/shared/events';
import { directMessageHref, messageHref } from '@parley/shared/markdown';
import type { Message, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isVisitor, realmSettingsOf } from '@parley/shared/values';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { recipientId } from '../conversations/recipient-id';
import { loadMayReadIn, presentEdits } from './get-message-history';
import type { MessageRow } from './message.sql';
import { flagsOf } from './personal-flags';
import type { ShownMessageRow } from './shown-message.sql';

/** Messages as the reader gets them: with current names and the reader's flags. At most one call for all users in them. */
export async function presentMessages(
  ctx: Context,
  caller: Caller,
  rows: readonly ShownMessageRow[],
  reader: Reader,
): Promise<Message[]> {
  const userIds = [...new Set(rows.flatMap((row) => [row.senderId, ...(row.participantIds ?? [])]))];
  const edits = rows.flatMap((row) => row.edits);
  const [usersById, mayReadIn] = await Promise.all([
    ctx.userCards.load(caller, userIds, reader.usersVersion),
    loadMayReadIn(ctx, caller, reader, edits),
  ]);
  const { message_edit_history_visibility_policy: policy } = realmSettingsOf(reader.realm);
  const slices = new Slices(caller.deadlineAt);
  const messages: Message[] = [];
  for (const row of rows) {
    if (slices.isUsedUp()) await slices.endSlice();
    const message = present(row, reader, usersById);
    if (row.edits.length > 0) message.edits = presentEdits(row.edits, policy, mayReadIn);
    messages.push(message);
  }
  return messages;
}

function present(row: ShownMessageRow, reader: Reader, users: ReadonlyMap<number, User>): Message {
  const { channelId } = row;
  return {
    id: row.id,
    realmId: reader.realm.id,
    sender: users.get(row.senderId) ?? null,
    ...(channelId === null ? {} : { channelId }),
    channelName: channelId === null ? '' : (reader.channels.get(channelId)?.name ?? ''),
    participants: (row.participantIds ?? []).flatMap((id) => users.get(id) ?? []),
    topic: row.topic,
    content: row.content,
    renderedContent: row.renderedContent,
    sentAtMs: row.sentAtMs,
    clientName: row.clientName,
    recipientId: recipientId(channelId, row.conversationId),
    isMeMessage: row.isMeMessage,
    topicLinks: row.topicLinks ?? [],
    flags: isVisitor(reader) ? ['read'] : flagsOf(row, reader, row.stored),
    reactions: row.reactions,
    submessages: row.submessages,
    senderRealm: reader.realm.subdomain,
  };
}

/** A message's mentions as loaded with it; the others are in its row. */
export interface Mentioned {
  mentionedIds: readonly number[];
  /** The users mentioned by a wildcard of the topic. */
  topicParticipantIds: readonly number[];
}

/** Input of the receivers' flags in events about the message, besides their stored flags. */
export function flagFactsOf(
  { senderId, sentAtMs, content, mentionsChannel, mentionsTopic }: MessageRow,
  { mentionedIds, topicParticipantIds }: Mentioned,
): FlagFacts {
  return { senderId, text: content, sentAtMs, mentionedIds, mentionsChannel, mentionsTopic, topicParticipantIds };
}

type Linked = Pick<Message, 'id' | 'channelId' | 'channelName' | 'participants' | 'topic'>;

/** Where a message is. */
export function messageLink({ id, channelId, channelName, topic, participants }: Linked): string {
  if (channelId !== undefined) return messageHref({ id: channelId, name: channelName }, topic, String(id));
  const participantIds = participants.map((user) => user.id);
  return directMessageHref(participantIds, String(id));
}
