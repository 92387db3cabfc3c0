import { batched } from '@parley/shared/batch';
import type { SendFacts, SendFactsQuery } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';

/** Joins the questions of concurrent sends into one call, which realm answers with one statement. */
export function joinSendFacts(realm: RpcClient<'realm'>): (query: SendFactsQuery) => Promise<SendFacts> {
  const ask = async (queries: SendFactsQuery[]) => (await realm.getSendFacts(newCall(), { queries })).facts;
  const askTogether = batched(ask, { maxItems: 64, maxInFlight: 1, keyOf: JSON.stringify });
  return (query) => askTogether(withPossibleNames(query));
}

/** Nothing has a name with a null byte, and PostgreSQL would fail all of a question's batch for it: such names are not asked for. */
function withPossibleNames({ channelName, ...query }: SendFactsQuery): SendFactsQuery {
  return {
    ...query,
    ...(channelName === undefined || !isPossible(channelName) ? {} : { channelName }),
    recipientEmails: query.recipientEmails.filter(isPossible),
    mentionedNames: query.mentionedNames.filter(isPossible),
    mentionedGroupNames: query.mentionedGroupNames.filter(isPossible),
    linkedChannelNames: query.linkedChannelNames.filter(isPossible),
  };
}

function isPossible(name: string): boolean {
  return !name.includes('\0');
}
