import { BadRequestError } from '@parley/shared/errors';
import type { DraftInput, SendFactsQuery } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { userSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import { type DraftFacts, draftFactsFrom } from './draft-from-input';

/** What drafts depend on, in one call. Throws for somebody who does not want drafts to be kept here. */
export async function loadDraftFacts(
  ctx: Context,
  caller: Caller,
  drafts: readonly DraftInput[] = [],
): Promise<DraftFacts> {
  const { facts } = await ctx.services.realm.getSendFacts(caller, { queries: queriesFor(caller, drafts) });
  const { enable_drafts_synchronization: isWanted } = userSettingsOf(facts[0]?.senderSettings ?? '{}');
  if (!isWanted) throw new BadRequestError('User has disabled synchronizing drafts.');
  return draftFactsFrom(facts, caller.userId, ctx.clock.now());
}

/** One that asks for all users, and one for each channel. */
function queriesFor({ realmId, userId }: Caller, drafts: readonly DraftInput[]): SendFactsQuery[] {
  const idsIn = (wanted: string) => [...new Set(drafts.flatMap(({ kind, toIds }) => (kind === wanted ? toIds : [])))];
  const query = {
    realmId,
    senderId: userId,
    recipientEmails: [],
    mentionedNames: [],
    mentionedGroupNames: [],
    linkedChannelNames: [],
    emojiNames: [],
  };
  return [
    { ...query, recipientIds: idsIn('direct') },
    ...idsIn('channel').map((channelId) => ({ ...query, recipientIds: [], channelId })),
  ];
}
