import type { Message, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { recipientId } from '../conversations/recipient-id';
import { loadEdits } from '../edits/load-edits';
import { loadFlags } from '../read-state/load-flags';
import { loadAttached } from './load-attached';
import type { MessageRow } from './message.sql';
import { isVisitor, type Reader } from './permissions';

/** Messages as the reader gets them: with the names of today and the reader's flags. One call for all users in them. */
export async function presentMessages(
  ctx: Context,
  caller: Caller,
  rows: readonly MessageRow[],
  reader: Reader,
): Promise<Message[]> {
  const userIds = [...new Set(rows.flatMap((row) => [row.senderId, ...(row.participantIds ?? [])]))];
  const [{ users }, flags, attachedTo, editsOf] = await Promise.all([
    userIds.length > 0 ? ctx.services.realm.getUsers(caller, { userIds }) : { users: [] },
    loadFlags(ctx.db, reader, rows),
    loadAttached(
      ctx,
      caller.realmId,
      rows.map(({ id }) => id),
    ),
    loadEdits(ctx, reader, rows),
  ]);
  const usersById = new Map(users.map((user) => [user.id, user]));
  return rows.map((row) => ({
    ...present(row, reader, usersById),
    ...attachedTo(row.id),
    ...editsOf(row.id),
    flags: isVisitor(reader) ? ['read'] : (flags.get(row.id) ?? []),
  }));
}

function present(row: MessageRow, reader: Reader, users: ReadonlyMap<number, User>): Message {
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
    flags: [],
    reactions: [],
    submessages: [],
    senderRealm: reader.realm.subdomain,
  };
}
