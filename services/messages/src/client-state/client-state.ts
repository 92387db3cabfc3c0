import type { AsOfSnapshot } from '@parley/shared/db';
import type {
  ClientState,
  GetClientStateRequest,
  GetMessageStateRequest,
  MessageState,
  UploadAllowance,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadNarrowReader, type ReaderContext } from '../access/load-reader';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { listRecentDirects } from '../conversations/conversation.sql';
import { listTopicPoliciesOf, type TopicPolicyRow } from '../conversations/topic-policies.sql';
import { loadUnreadState } from '../flags/unread-state';
import { isStarred } from '../narrows/conditions.sql';
import { EVERYTHING } from '../narrows/narrow';
import { listShownStars } from '../read-state/personal-flags.sql';
import { findMessages } from '../search/find-messages';
import { arePoliciesStale, presentTopicPolicies } from '../topic-policies/change-topic-policy';
import { followAccess } from '../topic-policies/follow-access';
import { presentMib, quotaMib } from '../uploads/upload-quota';
import { findOwnQuota, ORGANIZATION } from '../uploads/upload-quota.sql';
import { readWritings } from './get-writings';

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
  const { realmId, userId } = caller;
  const read = () => ctx.db.readAtOnce((sql) => readState({ ...ctx, db: sql }, caller, request));
  const reading = await read();
  if (!reading.result.isBehind) return answerOf(reading);
  await followAccess(ctx, { realmId, userIds: [userId], channelIds: null });
  return answerOf(await read());
}

function answerOf({ result: { isBehind: _, ...state }, snapshot }: AsOfSnapshot<ReadState>): ClientState {
  return { ...state, snapshot };
}

type ReadState = Omit<ClientState, 'snapshot'> & {
  /** Access has changed, and the marks of hidden and shown rows are not updated yet. */
  isBehind: boolean;
};

type ReadingState = ReaderContext & Pick<Context, 'config'>;

async function readState(
  reading: ReadingState,
  caller: Caller,
  { messages, writings, topicPolicies, includesUploadQuota }: GetClientStateRequest,
): Promise<ReadState> {
  const known = topicPolicies ? await listTopicPoliciesOf(reading.db, caller.realmId, caller.userId) : undefined;
  const policies = known ?? [];
  const decidedIds = policies.map(({ channelId }) => channelId);
  const needsReader = messages || policies.length > 0;
  const reader = needsReader ? await loadNarrowReader(reading, caller, [], decidedIds) : undefined;
  const read = messages && reader && (await readMessageState(reading, reader, messages, known));
  return {
    isBehind: read?.isBehind === true || (reader !== undefined && arePoliciesStale(policies, reader)),
    ...(read && { messages: read.state }),
    ...(writings && { writings: await readWritings(reading, caller, writings) }),
    ...(topicPolicies && { topicPolicies: { topicPolicies: reader ? presentTopicPolicies(policies, reader) : [] } }),
    ...(includesUploadQuota && { uploadQuota: await readUploadQuota(reading, caller) }),
  };
}

async function readUploadQuota(reading: ReadingState, { realmId }: Caller): Promise<UploadAllowance> {
  return presentMib(quotaMib(reading, await findOwnQuota(reading.db, realmId, ORGANIZATION)));
}

const MAX_STARRED = 10_000;

export async function getMessageState(
  ctx: ReaderContext,
  caller: Caller,
  request: GetMessageStateRequest,
): Promise<MessageState> {
  return (await readMessageState(ctx, await loadNarrowReader(ctx, caller, []), request)).state;
}

interface ReadMessageState {
  state: MessageState;
  /** Access has changed, and the shown stars are not updated yet. */
  isBehind: boolean;
}

/** The messages' part of the state, for a reader of everything (loadNarrowReader), whose topic policies may be known. */
async function readMessageState(
  ctx: ReaderContext,
  reader: Reader,
  { includesUnread, includesStarred, includesRecentDirects }: GetMessageStateRequest,
  policies?: readonly TopicPolicyRow[],
): Promise<ReadMessageState> {
  const caller = { realmId: reader.realm.id, userId: reader.userId };
  const search = { reader, narrow: EVERYTHING };
  const newest = { realmId: caller.realmId, direction: 'before', fromId: Number.MAX_SAFE_INTEGER, limit: 1 } as const;
  const [[maxMessageId = -1], unread, starredIds, readableIds, recentDirects] = await Promise.all([
    findMessages(ctx, search, newest),
    includesUnread ? loadUnreadState(ctx.db, reader, policies) : undefined,
    includesStarred ? listShownStars(ctx.db, caller.realmId, caller.userId, MAX_STARRED) : [],
    includesStarred ? findStarred(ctx, reader) : [],
    includesRecentDirects ? listRecentDirects(ctx.db, caller.realmId, caller.userId) : [],
  ]);
  return {
    state: { maxMessageId, starredIds, recentDirects, ...(unread && { unread }) },
    isBehind: starredIds.length !== readableIds.length || starredIds.some((id, index) => id !== readableIds[index]),
  };
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
