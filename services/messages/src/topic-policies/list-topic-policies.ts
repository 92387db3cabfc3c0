import type { TopicPolicies } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Reading } from '../messages/get-client-state';
import { loadReader } from '../messages/load-reader';
import { presentTopicPolicies } from './change-topic-policy';
import { listTopicPoliciesOf } from './topic-policies.sql';

/** Everything that the caller has decided about topics. */
export async function readTopicPolicies(ctx: Reading, caller: Caller): Promise<TopicPolicies> {
  const policies = await listTopicPoliciesOf(ctx.db, caller.realmId, caller.userId);
  if (policies.length === 0) return { topicPolicies: [] };
  const ids = [...new Set(policies.map(({ channelId }) => channelId))];
  return { topicPolicies: presentTopicPolicies(policies, await loadReader(ctx, caller, { ids })) };
}
