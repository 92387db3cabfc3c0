import { BadRequestError } from '@parley/shared/errors';
import type { GetMessageHistoryRequest, MessageHistory, MessageSnapshot } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { realmSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import { loadMessages, type MessageRow } from '../messages/message.sql';
import { mayRead } from '../messages/permissions';
import { diffHtml } from './diff-html';
import { invalidMessage } from './edit-facts';
import { type EditRow, listEdits } from './edit-history.sql';
import { shownEdits } from './present-edits';

/** How a message was sent, and how each edit left it. */
export async function getMessageHistory(
  ctx: Context,
  caller: Caller,
  { messageId }: GetMessageHistoryRequest,
): Promise<MessageHistory> {
  const reader = await loadReader(ctx, caller);
  const { message_edit_history_visibility_policy: policy } = realmSettingsOf(reader.realm);
  if (policy === 'none') throw new BadRequestError('Message edit history is disabled in this organization');
  const [[message], edits] = await Promise.all([
    loadMessages(ctx.db, caller.realmId, [messageId], caller.userId),
    listEdits(ctx.db, caller.realmId, [messageId]),
  ]);
  if (!message || !mayRead(message, reader)) throw invalidMessage();
  const snapshots = snapshotsOf(message, shownEdits(edits, policy), policy === 'all');
  return { snapshots, isDirect: message.channelId === null };
}

/** From the newest edit back to the beginning: each tells what was before it. */
export function snapshotsOf(message: MessageRow, edits: readonly EditRow[], showsContents: boolean): MessageSnapshot[] {
  let { topic, content, renderedContent } = message;
  const contents = () => (showsContents ? { content, renderedContent } : {});
  const snapshots = edits.map((edit) => {
    const snapshot = { ...changesOf(edit, renderedContent), topic: edit.topic ?? topic, ...contents() };
    topic = edit.prevTopic ?? topic;
    content = edit.prevContent ?? content;
    renderedContent = edit.prevRenderedContent ?? renderedContent;
    return snapshot;
  });
  const original = { userId: message.senderId, editedAtMs: message.sentAtMs, topic, ...contents() };
  return [original, ...snapshots.reverse()];
}

function changesOf(edit: EditRow, renderedContent: string) {
  const { actorId, editedAtMs, prevContent, prevRenderedContent, prevTopic, prevChannelId, channelId } = edit;
  return {
    userId: actorId,
    editedAtMs,
    ...(prevContent !== null && {
      prevContent,
      prevRenderedContent: prevRenderedContent ?? '',
      contentHtmlDiff: diffHtml(prevRenderedContent ?? '', renderedContent),
    }),
    ...(prevTopic !== null && { prevTopic }),
    ...(prevChannelId !== null && channelId !== null && { prevChannelId, channelId }),
  };
}
