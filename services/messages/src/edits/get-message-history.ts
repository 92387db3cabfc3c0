import { Slices } from '@parley/shared/batch';
import { BadRequestError } from '@parley/shared/errors';
import type { Steps } from '@parley/shared/markdown';
import type { GetMessageHistoryRequest, MessageHistory, MessageSnapshot } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { realmSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import { loadMessages, type MessageRow } from '../messages/message.sql';
import { mayRead } from '../messages/permissions';
import { HtmlDiffs } from './diff-html';
import { invalidMessage } from './edit-facts';
import { type EditRow, listEdits } from './edit-history.sql';
import { shownEdits } from './present-edits';
import { loadMayReadIn, type ReadableEdit, readableEdits } from './readable-edits';

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
  const mayReadIn = await loadMayReadIn(ctx, caller, reader, edits);
  const shown = { edits: readableEdits(shownEdits(edits, policy), mayReadIn), showsContents: policy === 'all' };
  const snapshots = await snapshotsOf(message, shown, new Slices(caller.deadlineAt));
  return { snapshots, isDirect: message.channelId === null };
}

interface Shown {
  edits: readonly ReadableEdit[];
  showsContents: boolean;
}

/** From the newest edit back to the beginning: each tells what was before it. */
async function snapshotsOf(
  message: MessageRow,
  { edits, showsContents }: Shown,
  slices: Slices,
): Promise<MessageSnapshot[]> {
  let text: Text = message;
  let oldest = text;
  const diffs = new HtmlDiffs();
  const contents = ({ content, renderedContent }: Text) => (showsContents ? { content, renderedContent } : {});
  const snapshots: MessageSnapshot[] = [];
  for (const { edit, told, isBeforeTold } of edits) {
    if (told) {
      const changes = await inSlices(changesOf(told, text.renderedContent, diffs), slices);
      snapshots.push({ ...changes, topic: told.topic ?? text.topic, ...contents(text) });
    }
    text = textBefore(edit, text);
    if (isBeforeTold) oldest = text;
  }
  const { senderId: userId, sentAtMs: editedAtMs } = message;
  return [{ userId, editedAtMs, topic: oldest.topic, ...contents(oldest) }, ...snapshots.reverse()];
}

type Text = Pick<MessageRow, 'topic' | 'content' | 'renderedContent'>;

function textBefore({ prevTopic, prevContent, prevRenderedContent }: EditRow, after: Text): Text {
  return {
    topic: prevTopic ?? after.topic,
    content: prevContent ?? after.content,
    renderedContent: prevRenderedContent ?? after.renderedContent,
  };
}

async function inSlices<Result>(steps: Steps<Result>, slices: Slices): Promise<Result> {
  for (;;) {
    await slices.pause();
    const { done, value } = steps.next();
    if (done) return value;
  }
}

function* changesOf(edit: EditRow, renderedContent: string, diffs: HtmlDiffs) {
  const { actorId, editedAtMs, prevContent, prevRenderedContent, prevTopic, prevChannelId, channelId } = edit;
  return {
    userId: actorId,
    editedAtMs,
    ...(prevContent !== null && {
      prevContent,
      prevRenderedContent: prevRenderedContent ?? '',
      contentHtmlDiff: yield* diffs.diff(prevRenderedContent ?? '', renderedContent),
    }),
    ...(prevTopic !== null && { prevTopic }),
    ...(prevChannelId !== null && channelId !== null && { prevChannelId, channelId }),
  };
}
