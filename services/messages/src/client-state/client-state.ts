import { type AsOfSnapshot, readSnapshot } from '@parley/shared/db';
import type {
  ClientState,
  GetClientStateRequest,
  GetMessageStateRequest,
  GetWritingsRequest,
  MessageState,
  Writings,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadReader, type ReaderContext } from '../access/load-reader';
import { hasReceived, isAmongReceived, type Reader } from '../access/permissions';
import type { Context } from '../context';
import type { TopicPolicyRow } from '../conversations/topic-policies.sql';
import { loadUnreadState } from '../flags/unread-state';
import { isStarred } from '../narrows/conditions.sql';
import { EVERYTHING } from '../narrows/narrow';
import { findMessages } from '../search/find-messages';
import { arePoliciesStale, presentTopicPolicies } from '../topic-policies/change-topic-policy';
import { followAccess } from '../topic-policies/follow-access';
import { presentMib, quotaMib } from '../uploads/upload-quota';
import { NEWEST } from './newest-received.sql';
import { loadOwnRows, MAX_STARRED, type OwnRows, type WantedRows } from './own-rows.sql';

/** Instead of an id. */
const NONE = -1;

/**
 * This service's part of POST /register, as of one moment. Realm is called once, after that moment, so it knows all channel
 * versions of the messages read here. Stars and topic policies are those of which clients were notified; if that is behind the
 * current access, it is updated first, and its events are in the state.
 */
export async function getClientState(
  ctx: Context,
  caller: Caller,
  request: GetClientStateRequest,
): Promise<ClientState> {
  if (isOnlySnapshotWanted(request)) return readSnapshot(ctx.db);
  const { realmId, userId } = caller;
  const read = () => ctx.db.readAtOnce((sql) => readState({ ...ctx, db: sql }, caller, request));
  const reading = await read();
  if (!reading.result.isBehind) return answerOf(reading);
  await followAccess(ctx, { realmId, userIds: [userId], channelIds: null });
  return answerOf(await read());
}

function isOnlySnapshotWanted({ messages, writings, topicPolicies, includesUploadQuota }: GetClientStateRequest) {
  return !messages && !writings && !topicPolicies && !includesUploadQuota;
}

function answerOf({ result: { isBehind: _, ...state }, snapshot }: AsOfSnapshot<ReadState>): ClientState {
  return { ...state, snapshot };
}

type ReadState = Omit<ClientState, 'snapshot'> & {
  /** Access has changed, and the marks of hidden and shown rows are not updated yet. */
  isBehind: boolean;
};

type ReadingState = ReaderContext & Pick<Context, 'config'>;

async function readState(reading: ReadingState, caller: Caller, request: GetClientStateRequest): Promise<ReadState> {
  const { messages, writings, topicPolicies, includesUploadQuota } = request;
  const rows = await loadOwnRows(reading.db, caller, wantedRows(request));
  const policies = topicPolicies ? rows.topicPolicies : [];
  const reader = messages || policies.length > 0 ? await loadOwnReader(reading, caller, rows, policies) : undefined;
  const read = messages && reader && (await readMessageState(reading, reader, messages, rows));
  return {
    isBehind: read?.isBehind === true || (reader !== undefined && arePoliciesStale(policies, reader)),
    ...(read && { messages: read.state }),
    ...(writings && { writings: writingsOf(rows) }),
    ...(topicPolicies && { topicPolicies: { topicPolicies: reader ? presentTopicPolicies(policies, reader) : [] } }),
    ...(includesUploadQuota && { uploadQuota: presentMib(quotaMib(reading, rows.uploadQuota)) }),
  };
}

function wantedRows({ messages, writings, topicPolicies, includesUploadQuota }: GetClientStateRequest): WantedRows {
  const { includesUnread = false, includesStarred = false, includesRecentDirects = false } = messages ?? {};
  const { includesDrafts = false, includesSavedSnippets = false } = writings ?? {};
  return {
    // They mute unread messages.
    topicPolicies: includesUnread || topicPolicies !== undefined,
    foreignChannels: messages !== undefined || topicPolicies !== undefined,
    stars: includesStarred,
    recentDirects: includesRecentDirects,
    drafts: includesDrafts,
    savedSnippets: includesSavedSnippets,
    uploadQuota: includesUploadQuota === true,
    newest: messages !== undefined,
  };
}

/** A reader for everything that the caller may read, as of loadNarrowReader(), and for the channels of the policies. */
function loadOwnReader(
  ctx: ReaderContext,
  caller: Caller,
  { foreignChannelIds }: OwnRows,
  policies: readonly TopicPolicyRow[],
): Promise<Reader> {
  const ids = new Set([...foreignChannelIds, ...policies.map(({ channelId }) => channelId)]);
  return loadReader(ctx, caller, { ids: [...ids], withOwn: true });
}

export async function getMessageState(
  ctx: ReaderContext,
  caller: Caller,
  request: GetMessageStateRequest,
): Promise<MessageState> {
  const rows = await loadOwnRows(ctx.db, caller, wantedRows({ messages: request }));
  return (await readMessageState(ctx, await loadOwnReader(ctx, caller, rows, []), request, rows)).state;
}

/** Drafts and snippets for the initial state of a client; no drafts for users who have disabled them on the server. */
export async function getWritings(
  { db }: Pick<Context, 'db'>,
  caller: Caller,
  request: GetWritingsRequest,
): Promise<Writings> {
  return writingsOf(await loadOwnRows(db, caller, wantedRows({ writings: request })));
}

function writingsOf({ drafts, savedSnippets }: OwnRows): Writings {
  return { drafts, savedSnippets };
}

interface ReadMessageState {
  state: MessageState;
  /** Access has changed, and the shown stars are not updated yet. */
  isBehind: boolean;
}

/** The messages' part of the state, for a reader of everything. */
async function readMessageState(
  ctx: ReaderContext,
  reader: Reader,
  { includesUnread }: GetMessageStateRequest,
  { starredIds, hasStars, recentDirects, topicPolicies, newest }: OwnRows,
): Promise<ReadMessageState> {
  const [maxMessageId, unread, readableIds] = await Promise.all([
    newestOf(newest, reader) ?? findNewest(ctx, reader),
    includesUnread ? loadUnreadState(ctx.db, reader, topicPolicies) : undefined,
    hasStars ? findStarred(ctx, reader) : [],
  ]);
  return {
    state: { maxMessageId, starredIds, recentDirects, ...(unread && { unread }) },
    isBehind: starredIds.length !== readableIds.length || starredIds.some((id, index) => id !== readableIds[index]),
  };
}

/** The newest message that the reader's narrows find. Undefined: it is older than these, or maybe found without having been received. */
function newestOf(newest: OwnRows['newest'], reader: Reader): number | undefined {
  const first = newest.find((message) => isAmongReceived({ ...message, isHistorical: true, isGiven: true }, reader));
  if (!first) return newest.length < NEWEST ? NONE : undefined;
  return hasReceived(first, reader) ? first.id : undefined;
}

async function findNewest(ctx: ReaderContext, reader: Reader): Promise<number> {
  const range = { realmId: reader.realm.id, direction: 'before', fromId: Number.MAX_SAFE_INTEGER, limit: 1 } as const;
  const [newestId = NONE] = await findMessages(ctx, { reader, narrow: EVERYTHING }, range);
  return newestId;
}

/** The ids of the narrow is:starred. Stars of messages that are not readable now are kept but hidden. */
function findStarred(ctx: ReaderContext, reader: Reader): Promise<number[]> {
  const narrow = {
    ...EVERYTHING,
    conditions: [isStarred(reader.userId)],
    lead: { routes: [{ kind: 'starred' as const }], isPersonal: true },
  };
  const all = { realmId: reader.realm.id, direction: 'after', fromId: 0, limit: MAX_STARRED } as const;
  return findMessages(ctx, { reader, narrow }, all);
}
