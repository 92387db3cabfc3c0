import type { TopicPolicies } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { loadReader } from '../messages/load-reader';
import { presentTopicPolicies } from './change-topic-policy';
import { listTopicPoliciesOf } from './topic-policies.sql';

/** Everything that the caller has decided about topics. */
export async function listTopicPolicies(ctx: Context, caller: Caller): Promise<TopicPolicies> {
  const [reader, policies] = await Promise.all([
    loadReader(ctx, caller),
    listTopicPoliciesOf(ctx.db, caller.realmId, caller.userId),
  ]);
  return { topicPolicies: presentTopicPolicies(policies, reader) };
}
