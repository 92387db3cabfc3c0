import { BadNarrowError } from '@parley/shared/errors';
import type { NarrowTerm, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isVisitor } from '@parley/shared/values';
import { MAX_RECIPIENTS } from '../access/destination';
import { maySee, type Reader } from '../access/permissions';
import type { Context } from '../context';
import { loadMessages } from '../messages/message.sql';
import { messageIdOf } from './check-terms';
import type { Conversation } from './narrow';

const SINGLE = new Set(['sender', 'dm-including', 'group-pm-with', 'mentions']);

/** Finds the users named by terms. Throws BAD_NARROW for unknown ones. */
export interface NamedUsers {
  userOf(term: NarrowTerm): User;
  /** The conversation of `dm`; null if it names none, or may name several. */
  participantsOf(term: NarrowTerm): User[] | null;
}

/** At most one call for all users named by the terms. */
export async function resolveUsers(
  ctx: Context,
  caller: Caller,
  terms: readonly NarrowTerm[],
  reader: Reader,
): Promise<NamedUsers> {
  const named = terms.filter(({ operator }) => SINGLE.has(operator) || operator === 'dm').filter(isNamable);
  const users = named.length > 0 ? await findUsers(ctx, caller, named, reader) : [];
  // Addresses are hidden from visitors: a narrow by address would reveal its owner.
  const addressesOf = ({ email, deliveryEmail }: User) => (isVisitor(caller) ? [] : [email, deliveryEmail]);
  const find = (key: number | string) =>
    users.find((user) =>
      typeof key === 'number' ? user.id === key : addressesOf(user).some((address) => address.toLowerCase() === key),
    );
  return {
    userOf(term) {
      const user = find(term.id ?? (term.text ?? '').trim().toLowerCase());
      if (!user) throw new BadNarrowError(`unknown user ${term.id ?? term.text}`);
      return user;
    },
    participantsOf(term) {
      if (!isNamable(term)) return null;
      const participants = keysOf(term).map(find);
      if (participants.includes(undefined)) throw new BadNarrowError(`unknown user in ${operandOf(term)}`);
      return participants as User[];
    },
  };
}

async function findUsers(
  ctx: Context,
  caller: Caller,
  terms: readonly NarrowTerm[],
  { usersVersion }: Reader,
): Promise<User[]> {
  const keys = [...new Set(terms.flatMap(keysOf))];
  const ids = keys.filter((key) => typeof key === 'number');
  const recipientEmails = keys.filter((key) => typeof key === 'string');
  if (recipientEmails.length === 0) return [...(await ctx.userCards.load(caller, ids, usersVersion)).values()];
  const { recipients } = await ctx.getSendFacts(caller, {
    realmId: caller.realmId,
    senderId: caller.userId,
    recipientIds: ids,
    recipientEmails,
    mentionedNames: [],
    mentionedGroupNames: [],
    linkedChannelNames: [],
    emojiNames: [],
  });
  return recipients;
}

function isNamable(term: NarrowTerm): boolean {
  const { length } = keysOf(term);
  return length > 0 && length <= MAX_RECIPIENTS;
}

/** Ids, or addresses in lower case. */
function keysOf({ operator, id, ids, isList, text = '' }: NarrowTerm): (number | string)[] {
  if (isList) return ids;
  if (id !== undefined) return [id];
  const addresses = operator === 'dm' ? text.split(',') : [text];
  return addresses.map((address) => address.trim().toLowerCase()).filter((address) => address !== '');
}

function operandOf({ id, ids, text }: NarrowTerm): string {
  return text ?? (id === undefined ? `[${ids.join(', ')}]` : String(id));
}

const REPLACED = new Set(['channel', 'topic', 'dm']);

/** Terms, and the conversation that replaces those that named one: the current one of a message. */
interface Followed {
  terms: readonly NarrowTerm[];
  conversation: Conversation | null;
}

/** `with` follows its message to its current place, if the reader may see it; otherwise the other terms apply. */
export async function followMessage(
  ctx: Context,
  caller: Caller,
  terms: readonly NarrowTerm[],
  reader: Reader,
): Promise<Followed> {
  const followed = terms.find(({ operator }) => operator === 'with');
  if (!followed) return { terms, conversation: null };
  const [message] = await loadMessages(ctx.db, caller.realmId, [messageIdOf(followed) as number], caller.userId);
  if (!message || !maySee(message, reader)) return { terms, conversation: null };
  const { conversationId, channelId } = message;
  return {
    terms: terms.filter(({ operator }) => !REPLACED.has(operator)),
    conversation: { id: conversationId, channelId },
  };
}
