import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import { keepsReceived, type Reader } from '../messages/permissions';
import type { EditRow } from './edit-history.sql';

/** Whether the reader may read what is in a channel. */
export type MayReadIn = (channelId: number) => boolean;

/** Knows of every channel from which the messages were moved away. One call for those that the reader was not loaded with. */
export async function loadMayReadIn(
  ctx: Pick<Context, 'services'>,
  caller: Caller,
  { channels }: Reader,
  edits: readonly EditRow[],
): Promise<MayReadIn> {
  const left = new Set(edits.flatMap(({ prevChannelId }) => prevChannelId ?? []));
  const ids = [...left].filter((id) => !channels.has(id));
  const others = ids.length > 0 ? (await loadReader(ctx, caller, { ids })).channels : channels;
  return (channelId) => keepsReceived(channels.get(channelId) ?? others.get(channelId));
}

export interface ReadableEdit {
  edit: EditRow;
  /** What the reader may know of it; null: nothing. */
  told: EditRow | null;
  /** Whether the reader may know what the message was before. */
  isBeforeTold: boolean;
}

/**
 * The edits of a message, the newest first, each with what its reader may know of it. From the message's time in a channel that is closed
 * to them nothing is told, but who moved it out of there, and when.
 */
export function readableEdits(edits: readonly EditRow[], mayReadIn: MayReadIn): ReadableEdit[] {
  let isOpen = true;
  return edits.map((edit) => {
    const isAfterTold = isOpen;
    if (edit.prevChannelId !== null) isOpen = mayReadIn(edit.prevChannelId);
    const told = isOpen
      ? edit
      : { ...edit, prevChannelId: null, prevTopic: null, prevContent: null, prevRenderedContent: null };
    return { edit, told: isAfterTold ? told : null, isBeforeTold: isOpen };
  });
}
