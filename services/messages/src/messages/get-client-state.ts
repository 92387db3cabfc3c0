import type { Sql } from '@parley/shared/db';
import type { ClientState, GetClientStateRequest, UploadAllowance } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { readWritings } from '../drafts/get-writings';
import { presentTopicPolicies } from '../topic-policies/change-topic-policy';
import { listTopicPoliciesOf } from '../topic-policies/topic-policies.sql';
import { presentMib, quotaMib } from '../uploads/upload-quota';
import { findOwnQuota, ORGANIZATION } from '../uploads/upload-quota.sql';
import { readMessageState } from './get-message-state';
import { loadNarrowReader } from './load-narrow-reader';

/**
 * This service's part of POST /register, as of one moment. Realm is asked once, and after that moment: it knows every version of a channel at which
 * a message was sent that is seen here. The answer names realm's snapshot, too: what follows from changes that it has seen is in the state,
 * also when this service announces it later.
 */
export async function getClientState(
  ctx: Context,
  caller: Caller,
  request: GetClientStateRequest,
): Promise<ClientState> {
  const { result, snapshot } = await ctx.db.readAtOnce((sql) => readState({ ...ctx, db: sql }, caller, request));
  return { ...result, snapshot };
}

export type Reading = Pick<Context, 'services'> & { db: Sql };
type ReadingState = Reading & Pick<Context, 'config'>;

async function readState(
  reading: ReadingState,
  caller: Caller,
  { messages, writings, topicPolicies, includesUploadQuota }: GetClientStateRequest,
): Promise<Omit<ClientState, 'snapshot'>> {
  const policies = topicPolicies ? await listTopicPoliciesOf(reading.db, caller.realmId, caller.userId) : [];
  const decidedIds = policies.map(({ channelId }) => channelId);
  const needsReader = messages || policies.length > 0;
  const reader = needsReader ? await loadNarrowReader(reading, caller, [], decidedIds) : undefined;
  return {
    ...(reader?.snapshot && { readerSnapshot: reader.snapshot }),
    ...(messages && reader && { messages: await readMessageState(reading, caller, reader, messages) }),
    ...(writings && { writings: await readWritings(reading, caller, writings) }),
    ...(topicPolicies && { topicPolicies: { topicPolicies: reader ? presentTopicPolicies(policies, reader) : [] } }),
    ...(includesUploadQuota && { uploadQuota: await readUploadQuota(reading, caller) }),
  };
}

async function readUploadQuota(reading: ReadingState, { realmId }: Caller): Promise<UploadAllowance> {
  return presentMib(quotaMib(reading, await findOwnQuota(reading.db, realmId, ORGANIZATION)));
}
