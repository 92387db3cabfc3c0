import { type BadRequestError, NothingToDoError } from '@parley/shared/errors';
import type { References } from '@parley/shared/markdown';
import type {
  Channel,
  ChannelEditFacts,
  ChannelScope,
  EditFacts,
  NoticeChoices,
  SendFacts,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { type RealmSettings, realmSettingsOf } from '@parley/shared/values';
import type { RequiredSendFacts } from '../access/destination';
import { readerOf } from '../access/load-reader';
import { mayRead, type Reader } from '../access/permissions';
import type { Context } from '../context';
import type { AudienceChannel } from './edit-audiences';
import { loadMessages, type MessageRow } from './message.sql';

/** The actor's rights in a channel and, once loaded, the readers of a private one without a subscription. */
export type ChannelFacts = Omit<ChannelEditFacts, 'channel'> & { channel: (Channel & AudienceChannel) | null };

/** Input of a deletion besides the messages. */
export interface DeletionFacts {
  reader: Reader;
  actor: User;
  settings: Readonly<RealmSettings>;
  /** Names of the organization's permission settings that include the actor. */
  permissions: ReadonlySet<string>;
  channels: ReadonlyMap<number, ChannelFacts>;
  /** The owner of the bot that wrote the message. */
  authorOwnerId: number | undefined;
}

/** Input of an edit besides the message. */
export interface LoadedEditFacts extends DeletionFacts {
  notificationBot: User | null;
  noticeChoices: NoticeChoices | null;
  send: RequiredSendFacts;
}

/** The channels of the facts, by id. */
export function channelKindsOf({ channels }: Pick<LoadedEditFacts, 'channels'>): ReadonlyMap<number, AudienceChannel> {
  return new Map([...channels].flatMap(([id, { channel }]) => (channel ? [[id, channel] as const] : [])));
}

export interface EditQuestion {
  /** The message's channel, and its destination. */
  channelIds: readonly number[];
  /** Absent: all of them. */
  readChannels?: ChannelScope;
  /** References in the new content. */
  references: References;
  withNoticeChoices: boolean;
  /** Only the content of a message changes: permissions to move it are not loaded. */
  isContentOnly: boolean;
}

/** One call of realm. */
export async function loadEditFacts(ctx: Context, caller: Caller, question: EditQuestion): Promise<LoadedEditFacts> {
  const { channelIds, readChannels, references, withNoticeChoices, isContentOnly } = question;
  const facts = await ctx.services.realm.getEditFacts(caller, {
    channelIds: [...new Set(channelIds)],
    mentionedNames: references.userNames.filter(isPossible),
    mentionedGroupNames: references.groupNames.filter(isPossible),
    linkedChannelNames: references.channelNames.filter(isPossible),
    emojiNames: references.emojiNames,
    withNoticeChoices,
    contentOnly: isContentOnly,
    ...(readChannels && { readChannels }),
  });
  const { notificationBot, noticeChoices, send } = facts;
  if (!send) throw new Error(`realm does not know the user ${caller.userId}`);
  return {
    ...toDeletionFacts(facts, caller),
    notificationBot,
    noticeChoices,
    send: send as SendFacts & RequiredSendFacts,
  };
}

interface DeletionQuestion {
  channelIds: readonly number[];
  /** Absent: all of them. */
  readChannels?: ChannelScope;
  authorId?: number;
}

/** One call of realm. */
export async function loadDeletionFacts(
  ctx: Context,
  caller: Caller,
  question: DeletionQuestion,
): Promise<DeletionFacts> {
  const names = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const facts = await ctx.services.realm.getEditFacts(caller, {
    ...names,
    withoutSend: true,
    ...question,
    channelIds: [...question.channelIds],
  });
  return toDeletionFacts(facts, caller);
}

function toDeletionFacts({ read, permissions, channels, authorOwnerId }: EditFacts, caller: Caller): DeletionFacts {
  if (!read?.realm || !read.reader) throw new Error(`realm does not know the user ${caller.userId}`);
  const byId = channels.flatMap((facts) => (facts.channel ? [[facts.channel.id, facts] as const] : []));
  return {
    reader: readerOf(caller, read),
    actor: read.reader,
    settings: realmSettingsOf(read.realm),
    permissions: new Set(permissions),
    channels: new Map(byId),
    authorOwnerId,
  };
}

function isPossible(name: string): boolean {
  return !name.includes('\0');
}

/** The message, if it exists; what may be done with it is checked with the facts, which depend on its channel. */
export async function findMessage(ctx: Context, caller: Caller, messageId: number): Promise<MessageRow> {
  const [message] = await loadMessages(ctx.db, caller.realmId, [messageId], caller.userId);
  if (!message) throw invalidMessage();
  return message;
}

/** Throws unless the actor may read the message and its channel is active. */
export function checkAccess(message: MessageRow, { reader }: DeletionFacts): void {
  const isArchived = message.channelId !== null && reader.channels.get(message.channelId)?.isArchived === true;
  if (isArchived || !mayRead(message, reader)) throw invalidMessage();
}

export function invalidMessage(): BadRequestError {
  return new NothingToDoError('Invalid message(s)');
}
