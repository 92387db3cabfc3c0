import type { MessageEdit, MessageEdits } from '@parley/shared/proto';
import type { EditRow } from './edit-history.sql';
import { type MayReadIn, readableEdits } from './readable-edits';
import { toggleOf } from './resolved-topic';

/** What a message tells of its edits (newest first), as far as the organization shows them: all, moves or none; and its channels. */
export function presentEdits(edits: readonly EditRow[], policy: string, mayReadIn: MayReadIn): MessageEdits {
  const lastEdit = edits.find(({ prevContent }) => prevContent !== null);
  const lastMove = edits.find(isMove);
  const isHistoryShown = policy !== 'none';
  const toldEdits = readableEdits(edits, mayReadIn).flatMap(({ told }) => told ?? []);
  return {
    isHistoryShown,
    history: isHistoryShown ? shownEdits(toldEdits, policy).map(presentEdit) : [],
    ...(lastEdit && { lastEditedAtMs: lastEdit.editedAtMs }),
    ...(lastMove && { lastMovedAtMs: lastMove.editedAtMs }),
  };
}

/** Resolving is no move. */
function isMove({ prevTopic, topic, prevChannelId }: EditRow): boolean {
  if (prevChannelId !== null) return true;
  return prevTopic !== null && topic !== null && toggleOf(prevTopic, topic) === null;
}

/** Where only moves are shown, edits of contents are left out, be they edits by themselves or part of a move. */
export function shownEdits(edits: readonly EditRow[], policy: string): EditRow[] {
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
