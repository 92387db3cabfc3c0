import { BadRequestError } from '@parley/shared/errors';
import type { ChannelEditFacts, EditFacts, SendFacts, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { type RealmSettings, realmSettingsOf } from '@parley/shared/values';
import type { Context } from '../context';
import type { References } from '../markdown';
import type { Facts as ContentFacts } from '../messages/compose-message';
import { readerOf } from '../messages/load-reader';
import { loadMessages, type MessageRow } from '../messages/message.sql';
import { mayRead, type Reader } from '../messages/permissions';

/** What changing or deleting a message depends on beside the message. */
export interface Facts {
  reader: Reader;
  actor: User;
  settings: Readonly<RealmSettings>;
  /** Names of the permission settings of the organization that allow the actor something. */
  permissions: ReadonlySet<string>;
  channels: ReadonlyMap<number, ChannelEditFacts>;
  notificationBot: User | null;
  send: ContentFacts;
}

const NO_NAMES: References = {
  userNames: [],
  groupNames: [],
  channelNames: [],
  emojiNames: [],
  uploadPathIds: [],
  topics: [],
};

/** One call of realm. */
export async function loadEditFacts(
  ctx: Context,
  caller: Caller,
  channelIds: readonly number[],
  references: Partial<References> = {},
): Promise<Facts> {
  const { userNames, groupNames, channelNames, emojiNames } = { ...NO_NAMES, ...references };
  const facts = await ctx.services.realm.getEditFacts(caller, {
    channelIds: [...new Set(channelIds)],
    mentionedNames: userNames.filter(isPossible),
    mentionedGroupNames: groupNames.filter(isPossible),
    linkedChannelNames: channelNames.filter(isPossible),
    emojiNames,
  });
  return toFacts(facts, caller);
}

function toFacts({ read, permissions, channels, notificationBot, send }: EditFacts, caller: Caller): Facts {
  if (!read?.realm || !read.reader || !send) throw new Error(`realm does not know the user ${caller.userId}`);
  const byId = channels.flatMap((facts) => (facts.send?.channel ? [[facts.send.channel.id, facts] as const] : []));
  return {
    reader: readerOf(caller, read),
    actor: read.reader,
    settings: realmSettingsOf(read.realm),
    permissions: new Set(permissions),
    channels: new Map(byId),
    notificationBot,
    send: send as SendFacts & ContentFacts,
  };
}

function isPossible(name: string): boolean {
  return !name.includes('\0');
}

/** The message, when it exists; what may be done with it is checked with the facts, which depend on where it is. */
export async function findMessage(ctx: Context, caller: Caller, messageId: number): Promise<MessageRow> {
  const [message] = await loadMessages(ctx.db, caller.realmId, [messageId], caller.userId);
  if (!message) throw invalidMessage();
  return message;
}

/** Throws unless the actor may read the message and its channel is in use. */
export function checkAccess(message: MessageRow, { reader }: Facts): void {
  const isArchived = message.channelId !== null && reader.channels.get(message.channelId)?.isArchived === true;
  if (isArchived || !mayRead(message, reader)) throw invalidMessage();
}

export function invalidMessage(): BadRequestError {
  return new BadRequestError('Invalid message(s)');
}
