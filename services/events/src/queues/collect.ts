import type { OwnFlags } from '@parley/shared/events';
import type { PersonalFlags } from '@parley/shared/proto';
import { copyTo, flagsOnCopy, relationTo } from '../audience/relation';
import type { KnownSubscribers, Relation, ResolvedAudience } from '../audience/resolved-audience';
import type { Context } from '../context';
import { endOfRecord } from '../log/event-id';
import type { LogEntry } from '../log/log-entry';
import { isOffered, personalMembers, viewOf } from './personal-members';
import type { PollAnswer } from './poll-answer';
import type { Queue } from './queue';

/** Maximum number of events whose facts are loaded together, so that an answer takes few calls. */
const EVENTS_AT_ONCE = 250;

/** Events for which facts must be loaded, and the possible shapes of such events. */
interface Asking {
  ofShape(shape: LogEntry['shape']): boolean;
  of(entry: LogEntry): boolean;
}

/** Events that need the receivers' own flags on messages. */
export const FLAGGED: Asking = {
  ofShape: ({ flaggedMessageId }) => flaggedMessageId !== undefined,
  of: ({ flaggedMessageId }) => flaggedMessageId !== undefined,
};

/** Shapes that contain first messages of channels. */
export const BEGUN: Asking = {
  ofShape: ({ begunChannelIds }) => begunChannelIds !== undefined,
  of: ({ lacksFirstMessages }) => lacksFirstMessages,
};

/** The queue's next such events, as far as they can be determined without waiting. */
export function nextEvents(ctx: Context, search: Search, asking: Asking): LogEntry[] {
  const { queue, position } = search;
  const found: LogEntry[] = [];
  let seenWeight = 0;
  for (const record of ctx.window.recordsAfter(queue.descriptor.realmId, position)) {
    if (found.length >= EVENTS_AT_ONCE || seenWeight > WEIGHT_AT_ONCE) break;
    seenWeight += record.weight;
    if (!record.shapes.some((shape) => asking.ofShape(shape) && queue.acceptsType(shape.type))) continue;
    for (const entry of record.entries) {
      if (entry.id <= position || !asking.of(entry)) continue;
      const relation = relationIn(ctx, search, entry);
      if (relation !== undefined && isOffered(queue, entry, relation)) found.push(entry);
    }
  }
  return found;
}

/** Number of events that are searched at once; other clients get their turn in between. */
const WEIGHT_AT_ONCE = 4 * 1024 ** 2;

/** A search in progress: the queue's events after `position`, in addition to those found before. */
export interface Search {
  queue: Queue;
  found: PollAnswer;
  position: number;
  /** By event: the owner's flags on the messages of the next events. */
  ownFlags: ReadonlyMap<number, PersonalFlags>;
  /**
   * Fetched for the audience of one event. Kept here, because the shared cache may be too small for the channels of one event.
   */
  fetched?: { audience: ResolvedAudience; subscribers: KnownSubscribers };
}

/**
 * Facts that must be loaded first: subscribers of an audience's channels, the owner's attention, the owner's flags, first messages of
 * channels.
 */
export type Missing = ResolvedAudience | 'attention' | 'flags' | 'first messages';

interface Progress {
  /** Everything up to here has been checked. */
  reached: number;
  isAtHead: boolean;
  /** Stopped, because these facts must be loaded first. */
  missing?: Missing;
}

/** Adds the queue's next events to an answer, up to the first missing fact. */
export function collect(ctx: Context, search: Search): Progress {
  const { queue, found, position, ownFlags } = search;
  let seenWeight = 0;
  for (const record of ctx.window.recordsAfter(queue.descriptor.realmId, position)) {
    if (!record.shapes.some(({ type }) => queue.acceptsType(type))) continue;
    for (const entry of record.entries) {
      if (entry.id <= position || queue.isInState(entry)) continue;
      const relation = relationIn(ctx, search, entry);
      if (relation === undefined) return { reached: entry.id - 1, isAtHead: false, missing: entry.audience };
      const missing = missingFor(queue, entry, relation, ownFlags);
      if (missing) return { reached: entry.id - 1, isAtHead: false, missing };
      const personal = personalMembers(ctx, queue, entry, relation, ownFlagsOn(ctx, search, entry));
      if (personal) found.add(entry, viewOf(queue, entry), personal);
      if (found.isFull) return { reached: entry.id, isAtHead: false };
    }
    seenWeight += record.weight;
    if (seenWeight > WEIGHT_AT_ONCE) return { reached: endOfRecord(record.seq), isAtHead: false };
  }
  return { reached: endOfRecord(ctx.window.head), isAtHead: true };
}

/** Undefined: unknown until subscribers are fetched. */
function relationIn(
  { subscribers }: Context,
  { queue, fetched }: Pick<Search, 'queue' | 'fetched'>,
  { audience }: LogEntry,
): Relation | undefined {
  const { realmId, userId } = queue.descriptor;
  return relationTo(
    subscribers,
    realmId,
    userId,
    audience,
    fetched?.audience === audience ? fetched.subscribers : undefined,
  );
}

function ownFlagsOn({ subscribers }: Context, search: Search, { id, audience }: LogEntry): OwnFlags | undefined {
  const { queue, fetched, ownFlags } = search;
  const own = ownFlags.get(id);
  if (own === undefined) return undefined;
  const { realmId, userId } = queue.descriptor;
  const known = fetched?.audience === audience ? fetched.subscribers : undefined;
  return flagsOnCopy(own, copyTo(subscribers, realmId, userId, audience, known));
}

function missingFor(
  queue: Queue,
  entry: LogEntry,
  relation: Relation,
  ownFlags: Search['ownFlags'],
): 'attention' | 'flags' | 'first messages' | undefined {
  if (isAttentionMissing(queue, entry, relation)) return 'attention';
  const areFlagsMissing = entry.flaggedMessageId !== undefined && !ownFlags.has(entry.id);
  if (!(areFlagsMissing || entry.lacksFirstMessages) || !isOffered(queue, entry, relation)) return undefined;
  return areFlagsMissing ? 'flags' : 'first messages';
}

function isAttentionMissing(queue: Queue, { shape, type }: LogEntry, relation: Relation): boolean {
  const isOfInterest = shape.personal !== undefined || shape.actorId !== undefined || relation === 'holder';
  return queue.attention === undefined && isOfInterest && relation !== 'stranger' && queue.acceptsType(type);
}
