import { Slices } from '@parley/shared/batch';
import { BadRequestError } from '@parley/shared/errors';
import type { Steps } from '@parley/shared/markdown';
import type {
  GetMessageHistoryRequest,
  MessageEdit,
  MessageEdits,
  MessageHistory,
  MessageSnapshot,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { realmSettingsOf } from '@parley/shared/values';
import { channelsOf, loadReader } from '../access/load-reader';
import { keepsReceived, mayRead, type Reader } from '../access/permissions';
import type { Context } from '../context';
import { HtmlDiffs } from './diff-html';
import { invalidMessage } from './edit-facts';
import { type EditRow, listEdits } from './edits.sql';
import { loadMessages, type MessageRow } from './message.sql';
import { toggleOf } from './resolved-topic';

/** The message as sent, and after each edit. */
export async function getMessageHistory(
  ctx: Context,
  caller: Caller,
  { messageId }: GetMessageHistoryRequest,
): Promise<MessageHistory> {
  const [messages, edits] = await Promise.all([
    loadMessages(ctx.db, caller.realmId, [messageId], caller.userId),
    listEdits(ctx.db, caller.realmId, [messageId]),
  ]);
  const reader = await loadReader(ctx, caller, channelsOf(messages));
  const { message_edit_history_visibility_policy: policy } = realmSettingsOf(reader.realm);
  if (policy === 'none') throw new BadRequestError(REFUSAL.messages.noHistory);
  const [message] = messages;
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

/** From the newest edit back to the first: each has the state before it. */
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
  for (const { edit, visible, isBeforeVisible } of edits) {
    if (visible) {
      const changes = await inSlices(changesOf(visible, text.renderedContent, diffs), slices);
      snapshots.push({ ...changes, topic: visible.topic ?? text.topic, ...contents(text) });
    }
    text = textBefore(edit, text);
    if (isBeforeVisible) oldest = text;
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

/** Whether the reader may read the content of a channel. */
export type MayReadIn = (channelId: number) => boolean;

/** Adds every channel from which the messages were moved away. One call for those that the reader was not loaded with. */
export async function loadMayReadIn(
  ctx: Pick<Context, 'readFacts'>,
  caller: Caller,
  { channels }: Reader,
  edits: readonly EditRow[],
): Promise<MayReadIn> {
  const left = new Set(edits.flatMap(({ prevChannelId }) => prevChannelId ?? []));
  const ids = [...left].filter((id) => !channels.has(id));
  const others = ids.length > 0 ? (await loadReader(ctx, caller, { ids })).channels : channels;
  return (channelId) => keepsReceived(channels.get(channelId) ?? others.get(channelId));
}

interface ReadableEdit {
  edit: EditRow;
  /** The part visible to the reader; null: none. */
  visible: EditRow | null;
  /** Whether the reader may see the state before the edit. */
  isBeforeVisible: boolean;
}

/**
 * The edits of a message, newest first, each with the part visible to the reader. For the message's time in a channel that the
 * reader may not read, only the actor and time of the move out are shown.
 */
function readableEdits(edits: readonly EditRow[], mayReadIn: MayReadIn): ReadableEdit[] {
  let isOpen = true;
  return edits.map((edit) => {
    const isAfterVisible = isOpen;
    if (edit.prevChannelId !== null) isOpen = mayReadIn(edit.prevChannelId);
    const visible = isOpen
      ? edit
      : { ...edit, prevChannelId: null, prevTopic: null, prevContent: null, prevRenderedContent: null };
    return { edit, visible: isAfterVisible ? visible : null, isBeforeVisible: isOpen };
  });
}

/** A message's edits (newest first) as the organization shows them: all, moves or none; and its channels. */
export function presentEdits(edits: readonly EditRow[], policy: string, mayReadIn: MayReadIn): MessageEdits {
  const lastEdit = edits.find(({ prevContent }) => prevContent !== null);
  const lastMove = edits.find(isMove);
  const isHistoryShown = policy !== 'none';
  const visibleEdits = readableEdits(edits, mayReadIn).flatMap(({ visible }) => visible ?? []);
  return {
    isHistoryShown,
    history: isHistoryShown ? shownEdits(visibleEdits, policy).map(presentEdit) : [],
    ...(lastEdit && { lastEditedAtMs: lastEdit.editedAtMs }),
    ...(lastMove && { lastMovedAtMs: lastMove.editedAtMs }),
  };
}

/** Resolving is not a move. */
function isMove({ prevTopic, topic, prevChannelId }: EditRow): boolean {
  if (prevChannelId !== null) return true;
  return prevTopic !== null && topic !== null && toggleOf(prevTopic, topic) === null;
}

/** If only moves are shown, edits of contents are omitted, separate ones and those in a move. */
function shownEdits(edits: readonly EditRow[], policy: string): EditRow[] {
  if (policy === 'all') return [...edits];
  return edits
    .filter(
      ({ prevContent, prevTopic, prevChannelId }) =>
        prevContent === null || prevTopic !== null || prevChannelId !== null,
    )
    .map((edit) => ({ ...edit, prevContent: null, prevRenderedContent: null }));
}

function presentEdit(edit: EditRow): MessageEdit {
  const { actorId, editedAtMs, prevContent, prevRenderedContent, prevTopic, topic, prevChannelId, channelId } = edit;
  return {
    userId: actorId,
    editedAtMs,
    ...(prevContent !== null && { prevContent, prevRenderedContent: prevRenderedContent ?? '' }),
    ...(prevTopic !== null && topic !== null && { prevTopic, topic }),
    ...(prevChannelId !== null && channelId !== null && { prevChannelId, channelId }),
  };
}
