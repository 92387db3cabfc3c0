import { BadNarrowError } from '@parley/shared/errors';
import type { NarrowTerm } from '@parley/shared/proto';
import {
  EMPTY_TOPIC_DISPLAY_NAME,
  findForbiddenCharacter,
  RESOLVED_TOPIC_PREFIX,
  topicKey,
} from '@parley/shared/values';
import type { ReadableChannel, Reader } from '../access/permissions';
import type { Context } from '../context';
import { FOLLOWED, MUTED } from '../conversations/automatic-policy';
import { listDirectConversations, listTopics } from '../conversations/conversation.sql';
import { directConversationOf } from '../conversations/known-directs';
import { findIdAtTime } from '../messages/id-at-time.sql';
import { hasAlertWordOf, indexedAlertWords } from './alerted.sql';
import { messageIdOf } from './check-terms';
import {
  has,
  hasId,
  isAddressed,
  isAll,
  isDirect,
  isInChannels,
  isInConversations,
  isInTopicBeginningWith,
  isNot,
  isSentBy,
  isStarred,
  isUnread,
  mentionsByName,
  mentionsReader,
} from './conditions.sql';
import { isMutedFor } from './is-muted';
import type { Condition, Conversation, Lead, Places, Route } from './narrow';
import type { NamedUsers } from './resolve-users';
import { listResolvedTopics, listSharedConversations, type TopicPolicyPlace } from './scope.sql';

/** The compiled form of one term. Lists name the messages' conversations; conditions test the messages. */
export interface Part {
  messageIds?: readonly number[];
  channelIds?: readonly number[];
  conversations?: readonly Conversation[];
  places?: Places;
  /** Everything in these channels matches. */
  wholeChannelIds?: readonly number[];
  /** Nothing in these matches. */
  exceptChannelIds?: readonly number[];
  conditions?: readonly Condition[];
  lead?: Lead;
  /** Nothing matches before that message. */
  firstId?: number | undefined;
  isUnread?: boolean;
}

/** The operands of all terms, looked up. */
export interface Resolved {
  reader: Reader;
  users: NamedUsers;
  policies: readonly TopicPolicyPlace[];
  /** Where topics are looked for. */
  channelIds: readonly number[];
  namesChannel: boolean;
}

type Compile = (ctx: Context, term: NarrowTerm, resolved: Resolved) => Part | Promise<Part>;

/** Messages have their ids in about the order of the time when they were sent. */
const CLOCKS_DIFFER_MS = 60_000;

/** If more topics than that are resolved, their messages are easy to find. */
const FEW_TOPICS = 1_000;

/** Terms without a negation: those that exclude nothing, and those whose negation has no meaning. */
const NEVER_NEGATED = new Set(['with', 'near', 'search', 'in']);

export async function compileTerm(ctx: Context, term: NarrowTerm, resolved: Resolved): Promise<Part> {
  const part = await (COMPILE[term.operator] as Compile)(ctx, term, resolved);
  return term.isNegated && !NEVER_NEGATED.has(term.operator) ? negated(part, resolved) : part;
}

const COMPILE: Record<string, Compile> = {
  channel: (_ctx, term, { reader }) => inChannels([channelIdOf(term, reader)]),
  channels: (_ctx, { text }, { reader }) => inChannels(channelsOfKind(text as string, reader)),
  topic: compileTopic,
  sender: (_ctx, term, { users }) => {
    const { id } = users.userOf(term);
    const isTheirs = isSentBy(id);
    return { conditions: [isTheirs], lead: { ...leadBy('sender', id), known: isTheirs } };
  },
  dm: compileDirect,
  'dm-including': (ctx, term, { reader, users }) => including(ctx, reader, users.userOf(term).id, 2),
  'group-pm-with': (ctx, term, { reader, users }) => including(ctx, reader, users.userOf(term).id, 3),
  id: (_ctx, term) => ({ messageIds: [messageIdOf(term) as number] }),
  mentions: (_ctx, term, { users }) => {
    const { id } = users.userOf(term);
    return { conditions: [mentionsByName(id)], lead: leadBy('mention', id) };
  },
  has: (_ctx, { text = '' }) => {
    const route = text === 'reaction' ? ({ kind: 'reaction' } as const) : ({ kind: 'has', what: text } as const);
    return { conditions: [has(text)], lead: { routes: [route], isPersonal: false } };
  },
  is: compileIs,
  in: (_ctx, { text }, resolved) => (text === 'home' ? negated(compileMuted(resolved), resolved) : {}),
  near: () => ({}),
  search: () => ({}),
  // Its message is deleted, or hidden from the reader.
  with: () => ({}),
};

function inChannels(channelIds: readonly number[]): Part {
  return { channelIds, wholeChannelIds: channelIds };
}

function leadBy(kind: 'mention' | 'sender', userId: number): Lead {
  return { routes: [{ kind, userId }], isPersonal: false };
}

function channelIdOf({ id, text }: NarrowTerm, reader: Reader): number {
  const name = text?.trim().toLowerCase();
  const channel =
    id === undefined
      ? [...reader.channels.values()].find((candidate) => candidate.name.toLowerCase() === name)
      : reader.channels.get(id);
  if (!channel || channel.isHidden) throw new BadNarrowError(`unknown channel ${id ?? text}`);
  return channel.channelId;
}

const KINDS: Record<string, (channel: ReadableChannel) => boolean> = {
  public: ({ isPublic }) => isPublic,
  'web-public': ({ isWebPublic }) => isWebPublic,
  archived: ({ isArchived }) => isArchived,
};

function channelsOfKind(kind: string, { channels }: Reader): number[] {
  return [...channels.values()].filter(KINDS[kind] as (typeof KINDS)[string]).map(({ channelId }) => channelId);
}

async function compileTopic(ctx: Context, { text = '' }: NarrowTerm, { reader, channelIds }: Resolved): Promise<Part> {
  if (findForbiddenCharacter(text) !== null) return { conversations: [] };
  const topic = text === EMPTY_TOPIC_DISPLAY_NAME ? '' : text;
  return { conversations: await listTopics(ctx.db, reader.realm.id, channelIds, topicKey(topic)) };
}

async function compileDirect(ctx: Context, term: NarrowTerm, { reader, users }: Resolved): Promise<Part> {
  const participants = users.participantsOf(term);
  if (participants === null) return { conversations: [] };
  const ids = [...new Set([...participants.map(({ id }) => id), reader.userId])].sort((a, b) => a - b);
  const id = await directConversationOf(ctx.db, reader.realm.id, ids);
  return { conversations: id === null ? [] : [{ id, channelId: null }] };
}

/** Conversations of the reader with a user, with a minimum number of participants unless the user is the reader. */
async function including(ctx: Context, reader: Reader, userId: number, size: number): Promise<Part> {
  const { realm, userId: readerId } = reader;
  const least = userId === readerId && size === 2 ? 1 : size;
  const ids = await listSharedConversations(ctx.db, realm.id, readerId, userId, least);
  return { conversations: ids.map((id) => ({ id, channelId: null })) };
}

async function compileIs(ctx: Context, { text, isNegated }: NarrowTerm, resolved: Resolved): Promise<Part> {
  const { reader, policies } = resolved;
  switch (text) {
    case 'dm':
      return isNegated ? { conditions: [isDirect] } : allDirect(ctx, reader);
    case 'starred':
      return ledTo(isStarred(reader.userId), [{ kind: 'starred' }]);
    case 'mentioned':
      return compileMentioned(reader);
    case 'unread':
      return { isUnread: true };
    case 'alerted':
      return compileAlerted(ctx, reader);
    case 'resolved':
      return compileResolved(ctx, resolved);
    case 'followed':
      return { conversations: policies.filter(({ policy }) => policy === FOLLOWED) };
    default:
      return compileMuted(resolved);
  }
}

function ledTo(condition: Condition, routes: Route[]): Part {
  return { conditions: [condition], lead: { routes, isPersonal: true, known: condition } };
}

/** NOTE: matches of the routes are candidates only: a topic wildcard mentions its participants, and moved messages may not count for the reader. */
function compileMentioned(reader: Reader): Part {
  const routes: Route[] = [{ kind: 'mention', userId: reader.userId }, { kind: 'wildcard' }];
  return { conditions: [mentionsReader(reader)], lead: { routes, isPersonal: true } };
}

async function compileResolved({ db }: Context, { reader, channelIds }: Resolved): Promise<Part> {
  const conditions = [isInTopicBeginningWith(RESOLVED_TOPIC_PREFIX)];
  const topics = await listResolvedTopics(db, reader.realm.id, channelIds, FEW_TOPICS);
  return topics ? { conditions, places: { channelIds: [], conversationIds: topics } } : { conditions };
}

function compileMuted({ reader, policies, namesChannel }: Resolved): Part {
  const channels = namesChannel ? [] : [...reader.channels.values()].filter(({ isMuted }) => isMuted);
  const channelIds = channels.map(({ channelId }) => channelId);
  const topics = policies.filter(({ policy }) => policy === MUTED);
  const heardIn = new Set(policies.filter(({ policy }) => policy !== MUTED).map(({ channelId }) => channelId));
  return {
    conditions: [isMutedFor(reader, policies, namesChannel)],
    places: { channelIds, conversationIds: topics.map(({ id }) => id) },
    wholeChannelIds: channelIds.filter((id) => !heardIn.has(id)),
  };
}

async function compileAlerted({ db }: Context, reader: Reader): Promise<Part> {
  const { realm, alertWords } = reader;
  if (alertWords.length === 0) return { messageIds: [] };
  const conditions = [isAll([hasAlertWordOf(alertWords), isAddressed(reader)])];
  const words = await indexedAlertWords(db, alertWords);
  const since = Math.min(...alertWords.map(({ addedAtMs }) => addedAtMs)) - CLOCKS_DIFFER_MS;
  const firstId = (await findIdAtTime(db, realm.id, since)) ?? undefined;
  return { conditions, firstId, ...(words && { lead: { routes: [{ kind: 'alert', words }], isPersonal: false } }) };
}

async function allDirect(ctx: Context, { realm, userId }: Reader): Promise<Part> {
  const ids = await listDirectConversations(ctx.db, realm.id, userId);
  return { conversations: ids.map((id) => ({ id, channelId: null })) };
}

/** The negation of a term. */
function negated(part: Part, { reader }: Resolved): Part {
  const { messageIds, channelIds, conversations, conditions = [], wholeChannelIds = [] } = part;
  const all: Condition[] = [
    ...conditions,
    ...(messageIds ? [hasId(messageIds)] : []),
    ...(channelIds ? [isInChannels(channelIds)] : []),
    ...(conversations ? [isInConversations(conversations.map(({ id }) => id))] : []),
    ...(part.isUnread ? [isUnread(reader)] : []),
  ];
  return { conditions: all.map(isNot), exceptChannelIds: wholeChannelIds };
}
