import type { Sql } from '@parley/shared/db';
import type { ClientState, GetClientStateRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { readWritings } from '../drafts/get-writings';
import { readTopicPolicies } from '../topic-policies/list-topic-policies';
import { readMessageState } from './get-message-state';

/**
 * This service's part of POST /register, as of one moment. Realm is asked after that moment: it knows every version of a channel at which
 * a message was sent that is seen here.
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

async function readState(
  reading: Reading,
  caller: Caller,
  { messages, writings, topicPolicies }: GetClientStateRequest,
): Promise<Omit<ClientState, 'snapshot'>> {
  return {
    ...(messages && { messages: await readMessageState(reading, caller, messages) }),
    ...(writings && { writings: await readWritings(reading, caller, writings) }),
    ...(topicPolicies && { topicPolicies: await readTopicPolicies(reading, caller) }),
  };
}
