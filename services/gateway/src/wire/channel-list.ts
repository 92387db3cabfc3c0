import { JsonPieces } from '../http/json-pieces';
import type { ChannelRow } from '../shared-state/channel-shelf';

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const NOTHING = Buffer.from('[]');
/** What a channel in the row ends with: a brace and a comma. */
const END_BYTES = 2;

export interface ChannelListView<Shown> {
  /** Clients that do not know of archived channels are not shown any. */
  includesArchived: boolean;
  /** More members of a channel's JSON object; null: none. */
  ownMembers?: (shown: Shown) => Record<string, unknown> | null;
}

/** The channels, in their order, as one list. */
export function channelList<Shown extends { channelId: number }>(
  channels: readonly Shown[],
  { json, places }: ChannelRow,
  { includesArchived, ownMembers }: ChannelListView<Shown>,
): JsonPieces {
  const pieces: Uint8Array[] = [OPEN];
  let run = { start: 0, end: 0 };
  const endRun = () => {
    if (run.end > run.start) pieces.push(json.subarray(run.start, run.end));
  };
  for (const shown of channels) {
    // One that was made after the others were loaded is told of by an event.
    const place = places.get(shown.channelId);
    if (!place || (place.isArchived && !includesArchived)) continue;
    if (place.start !== run.end) {
      endRun();
      run = { start: place.start, end: place.start };
    }
    run.end = place.end;
    const own = ownMembers?.(shown);
    if (!own) continue;
    run.end -= END_BYTES;
    endRun();
    pieces.push(Buffer.from(`,${JSON.stringify(own).slice(1)},`));
    run = { start: place.end, end: place.end };
  }
  endRun();
  const last = pieces.pop() as Uint8Array;
  // The last comma is one too many.
  return new JsonPieces(pieces.length === 0 ? [NOTHING] : [...pieces, last.subarray(0, -1), CLOSE]);
}
