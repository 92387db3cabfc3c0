import type { TopicPolicies } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { followAccess } from '../access/follow-access';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import type { Reader } from '../messages/permissions';
import { arePoliciesBehind, presentTopicPolicies } from './change-topic-policy';
import { listTopicPoliciesOf, type TopicPolicyRow } from './topic-policies.sql';

/** Everything that the caller has decided about topics. */
export async function listTopicPolicies(ctx: Context, caller: Caller): Promise<TopicPolicies> {
  const { realmId, userId } = caller;
  const { policies, reader } = await loadPolicies(ctx, caller);
  if (!arePoliciesBehind(policies, reader)) return { topicPolicies: presentTopicPolicies(policies, reader) };
  await followAccess(ctx, { realmId, userIds: [userId], channelIds: null });
  const now = await loadPolicies(ctx, caller);
  return { topicPolicies: presentTopicPolicies(now.policies, now.reader) };
}

async function loadPolicies(ctx: Context, caller: Caller): Promise<{ policies: TopicPolicyRow[]; reader: Reader }> {
  const policies = await listTopicPoliciesOf(ctx.db, caller.realmId, caller.userId);
  const ids = [...new Set(policies.map(({ channelId }) => channelId))];
  return { policies, reader: await loadReader(ctx, caller, { ids }) };
}
