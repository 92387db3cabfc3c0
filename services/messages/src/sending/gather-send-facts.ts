import { batched } from '@parley/shared/batch';
import { UnauthorizedError } from '@parley/shared/errors';
import { isWildcard, type References } from '@parley/shared/markdown';
import type { SendFacts, SendFactsQuery, SendMessageRequest, UsedCredential } from '@parley/shared/proto';
import { type Caller, newCall, type RpcClient, toConfirm } from '@parley/shared/rpc';
import { topicKey } from '@parley/shared/values';
import { type Destination, participantsOf, type RequiredSendFacts } from '../access/destination';
import type { Context } from '../context';
import { hasMessagesBetween, hasMessagesInTopic } from '../conversations/conversation.sql';
import { dependsOnEarlier } from './send-permissions';

/** The input of a send. */
export async function gatherSendFacts(
  ctx: Context,
  caller: Caller,
  { credential }: SendMessageRequest,
  to: Destination,
  references: References,
): Promise<RequiredSendFacts> {
  const facts = await ctx.getSendFacts(withCredential(caller, credential), {
    realmId: caller.realmId,
    senderId: caller.userId,
    ...addresseeOf(to),
    mentionedNames: references.userNames,
    mentionedGroupNames: references.groupNames,
    linkedChannelNames: references.channelNames,
    emojiNames: references.emojiNames,
    ...(references.userNames.some(isWildcard) && { mentionsMany: true }),
  });
  if (!facts.realm || !facts.sender) throw new Error(`realm does not know the sender ${caller.userId}`);
  return facts as RequiredSendFacts;
}

/** COMPAT(level 334): gateways of the previous version put it into the request. */
function withCredential(caller: Caller, used: UsedCredential | null | undefined): Caller {
  return used ? { ...caller, credential: { ...used, isConfirmed: false } } : caller;
}

function addresseeOf(to: Destination) {
  if (to.kind === 'direct') return { recipientIds: to.recipientIds, recipientEmails: to.recipientEmails };
  const nobody = { recipientIds: [], recipientEmails: [] };
  if (to.channelId !== undefined) return { ...nobody, channelId: to.channelId };
  if (to.channelName !== undefined) return { ...nobody, channelName: to.channelName };
  return { ...nobody, usesDefaultChannel: true };
}

/** Whether there are earlier messages at the destination. Queried only if the send depends on it, else true. */
export async function hasEarlierMessages({ db }: Context, to: Destination, facts: RequiredSendFacts): Promise<boolean> {
  const { realm, sender, recipients, direct, channel } = facts;
  if (to.kind === 'direct') {
    if (!direct || !dependsOnEarlier({ sender, recipients, rights: direct })) return true;
    const participants = participantsOf(recipients, sender);
    return hasMessagesBetween(
      db,
      realm.id,
      participants.map(({ id }) => id),
    );
  }
  if (!channel?.channel || channel.mayCreateTopics) return true;
  return hasMessagesInTopic(db, realm.id, channel.channel.id, topicKey(to.topic));
}

/** Combines concurrent sends into one call, which realm answers with one statement; it also confirms the callers' credentials. */
export function joinSendFacts(realm: RpcClient<'realm'>): GetSendFacts {
  const ask = async (queries: SendFactsQuery[]) => (await realm.getSendFacts(newCall(), { queries })).facts;
  const askTogether = batched(ask, { maxItems: 64, maxInFlight: 1, keyOf: JSON.stringify });
  return async (caller, query) => {
    const used = toConfirm(caller);
    const facts = await askTogether({ ...withPossibleNames(query), ...(used && { credential: used }) });
    if (!facts.isCredentialGood) throw new UnauthorizedError('Invalid API key');
    if (used && caller.credential) caller.credential.isConfirmed = true;
    return facts;
  };
}

/**
 * Realm's facts for a send; concurrent requests share a call. Throws UNAUTHORIZED if the caller's credential is no longer valid.
 */
export type GetSendFacts = (caller: Pick<Caller, 'credential'>, query: SendFactsQuery) => Promise<SendFacts>;

/** No name contains a null byte, for which PostgreSQL would fail the whole batch: such names are not looked up. */
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
