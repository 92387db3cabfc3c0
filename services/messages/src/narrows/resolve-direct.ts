import { BadNarrowError } from '@parley/shared/errors';
import type { NarrowTerm } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { findDirectConversation } from '../conversations/conversation.sql';
import { type DirectDestination, MAX_RECIPIENTS } from '../messages/destination';
import { findUnknown } from '../messages/permissions';
import type { Conversation } from './filter';

/** The conversation that a `dm` term names: of exactly those users and the caller. None when they never talked. */
export async function resolveDirect(ctx: Context, caller: Caller, term: NarrowTerm): Promise<Conversation[]> {
  const named = participantsNamedIn(term);
  const count = named.recipientIds.length + named.recipientEmails.length;
  // Nobody, or more than a conversation can have.
  if (count === 0 || count > MAX_RECIPIENTS) return [];
  const { recipients } = await ctx.getSendFacts({
    realmId: caller.realmId,
    senderId: caller.userId,
    ...named,
    mentionedNames: [],
    mentionedGroupNames: [],
    linkedChannelNames: [],
  });
  if (findUnknown(named, recipients) !== undefined) throw new BadNarrowError(`unknown user in ${operandOf(term)}`);
  const participantIds = [...new Set([...recipients.map(({ id }) => id), caller.userId])].sort((a, b) => a - b);
  const id = await findDirectConversation(ctx, caller.realmId, participantIds);
  return id === null ? [] : [{ id, channelId: null }];
}

function participantsNamedIn({ id, ids, text = '' }: NarrowTerm): DirectDestination {
  const emails = text.split(',').map((email) => email.trim());
  return { recipientIds: id === undefined ? ids : [id], recipientEmails: emails.filter((email) => email !== '') };
}

function operandOf({ id, ids, text }: NarrowTerm): string {
  return text ?? (id === undefined ? JSON.stringify(ids) : String(id));
}
