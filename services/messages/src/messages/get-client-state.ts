import type { AsOfSnapshot, Sql } from '@parley/shared/db';
import type { ClientState, GetClientStateRequest, UploadAllowance } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { followAccess } from '../access/follow-access';
import type { Context } from '../context';
import { readWritings } from '../drafts/get-writings';
import { arePoliciesBehind, presentTopicPolicies } from '../topic-policies/change-topic-policy';
import { listTopicPoliciesOf } from '../topic-policies/topic-policies.sql';
import { presentMib, quotaMib } from '../uploads/upload-quota';
import { findOwnQuota, ORGANIZATION } from '../uploads/upload-quota.sql';
import { readMessageState } from './get-message-state';
import { loadNarrowReader } from './load-narrow-reader';

/**
 * This service's part of POST /register, as of one moment. Realm is asked once, and after that moment: it knows every version of a channel at which
 * a message was sent that is seen here. Stars and decisions are those that clients have been told of; where that is behind the access of now, it
 * follows first, and what that tells is in the state.
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
  /** Access has changed, and what is shown has not followed yet. */
  isBehind: boolean;
};

export type Reading = Pick<Context, 'services'> & { db: Sql };
type ReadingState = Reading & Pick<Context, 'config'>;

async function readState(
  reading: ReadingState,
  caller: Caller,
  { messages, writings, topicPolicies, includesUploadQuota }: GetClientStateRequest,
): Promise<ReadState> {
  const policies = topicPolicies ? await listTopicPoliciesOf(reading.db, caller.realmId, caller.userId) : [];
  const decidedIds = policies.map(({ channelId }) => channelId);
  const needsReader = messages || policies.length > 0;
  const reader = needsReader ? await loadNarrowReader(reading, caller, [], decidedIds) : undefined;
  const read = messages && reader && (await readMessageState(reading, caller, reader, messages));
  return {
    isBehind: read?.isBehind === true || (reader !== undefined && arePoliciesBehind(policies, reader)),
    ...(read && { messages: read.state }),
    ...(writings && { writings: await readWritings(reading, caller, writings) }),
    ...(topicPolicies && { topicPolicies: { topicPolicies: reader ? presentTopicPolicies(policies, reader) : [] } }),
    ...(includesUploadQuota && { uploadQuota: await readUploadQuota(reading, caller) }),
  };
}

async function readUploadQuota(reading: ReadingState, { realmId }: Caller): Promise<UploadAllowance> {
  return presentMib(quotaMib(reading, await findOwnQuota(reading.db, realmId, ORGANIZATION)));
}
