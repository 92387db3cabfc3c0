import type { PublicEvent } from '@parley/client-model/rules';
import { batch, type Signal, signal, untracked } from '@preact/signals';
import { type Conversation, isSameNarrow, type Narrow } from '../narrow/narrow';
import { changed, onEvent, read, versionOf } from './model';

export interface Reaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
  user_id: number;
}

/** A part of a poll or a to-do list; the first one says which it is. */
export interface Submessage {
  id: number;
  sender_id: number;
  msg_type: string;
  content: string;
}

export interface Message {
  id: number;
  sender_id: number;
  sender_full_name: string;
  avatar_url: string | null;
  content: string;
  timestamp: number;
  type: 'stream' | 'private';
  stream_id?: number;
  subject: string;
  display_recipient: string | { id: number; full_name: string }[];
  reactions: Reaction[];
  submessages: Submessage[];
  flags: string[];
  is_me_message?: boolean;
  last_edit_timestamp?: number;
  last_moved_timestamp?: number;
}

/** More than this are not kept when no list shows them. */
const MOST_KEPT = 4_000;

type Index = { of: Message[]; version: number; byId: Map<number, Message> };

let index: Index | undefined;
/** Messages of the former registration: shown until they are fetched anew. */
let former: ReadonlyMap<number, Message> = new Map();

/** One for each message that is shown, so that a row is drawn anew only when its own message changes. */
interface Version {
  count: Signal<number>;
  /** Events change messages in place; components see a change by another object. */
  shown: Message | undefined;
}

const versions = new Map<number, Version>();

function stored(): Message[] {
  return (read() as unknown as { messages: Message[] }).messages;
}

function byId(): Map<number, Message> {
  const messages = stored();
  const version = untracked(() => versionOf('messages'));
  if (index?.of === messages && index.version === version) return index.byId;
  if (index && index.of !== messages) former = index.byId;
  index = { of: messages, version, byId: new Map(messages.map((each) => [each.id, each])) };
  return index.byId;
}

/** A fetched message; a component that reads it is drawn anew when this message changes. */
export function message(id: number): Message | undefined {
  const version = versions.get(id) ?? { count: signal(0), shown: undefined };
  versions.set(id, version);
  void version.count.value;
  const each = messageNow(id);
  version.shown ??= each && { ...each };
  return version.shown;
}

/** The message at this moment, without being told of changes. */
export function messageNow(id: number): Message | undefined {
  return byId().get(id) ?? former.get(id);
}

/** Whether events keep it up to date: it was fetched since the client registered. */
export const isFollowed = (id: number): boolean => byId().has(id);

/** Keeps fetched messages; those that are known already have been kept up to date by events. */
export function remember(messages: readonly Message[]): void {
  const known = byId();
  const added = messages.filter(({ id }) => !known.has(id));
  stored().push(...added);
  changed('messages');
  touch(added.map(({ id }) => id));
}

/** No event has told what happened to messages of channels where the person was not: they are shown until they are fetched anew. */
export function distrust(channelIds: readonly number[]): void {
  const messages = stored();
  const isThere = ({ stream_id: id }: Message) => id !== undefined && channelIds.includes(id);
  const distrusted = messages.filter(isThere);
  if (distrusted.length === 0) return;
  former = new Map([...former, ...distrusted.map((each) => [each.id, each] as const)]);
  messages.splice(0, messages.length, ...messages.filter((each) => !isThere(each)));
  changed('messages');
}

/** Forgets what no list shows, if there is much of it. `shown` is called only then. */
export function forgetOthers(shown: () => ReadonlySet<number>): void {
  former = new Map();
  const messages = stored();
  if (messages.length <= MOST_KEPT) return;
  const kept = shown();
  messages.splice(0, messages.length, ...messages.filter(({ id }) => kept.has(id)));
  for (const id of versions.keys()) if (!kept.has(id)) versions.delete(id);
  changed('messages');
}

function touch(ids: Iterable<number>): void {
  batch(() => {
    for (const id of ids) {
      const version = versions.get(id);
      if (!version) continue;
      version.shown = undefined;
      version.count.value += 1;
    }
  });
}

onEvent((event) => touch(concernedBy(event)));

/** The messages that an event brings, changes or deletes. */
export function concernedBy(event: PublicEvent): Iterable<number> {
  switch (event.type) {
    case 'message':
      return [(event['message'] as Message).id];
    case 'update_message':
      return [event['message_id'] as number, ...(event['message_ids'] as number[])];
    case 'update_message_flags':
      return event['all'] ? versions.keys() : (event['messages'] as number[]);
    case 'reaction':
    case 'submessage':
      return [event['message_id'] as number];
    case 'delete_message':
      return deletedIn(event);
    default:
      return [];
  }
}

/** The messages that an event deletes, or hides from the person. */
export function deletedIn(event: PublicEvent): readonly number[] {
  if (event.type !== 'delete_message') return [];
  return (event['message_ids'] as number[] | undefined) ?? [event['message_id'] as number];
}

/** The conversation of a message. */
export function narrowOf({ stream_id, subject, display_recipient }: Message): Conversation {
  if (stream_id !== undefined) return { kind: 'topic', channelId: stream_id, topic: subject };
  return { kind: 'direct', userIds: otherIds((display_recipient as { id: number }[]).map(({ id }) => id)) };
}

/** The other participants of a conversation; for one's own notes, oneself. */
export function otherIds(userIds: readonly number[]): number[] {
  const { user_id: own } = read();
  const others = userIds.filter((id) => id !== own);
  return others.length === 0 ? [own] : others.sort((a, b) => a - b);
}

/** Whether a message belongs to a narrow, as far as a client can tell; null: only the server knows. */
export function belongsTo(narrow: Narrow, each: Message): boolean | null {
  switch (narrow.kind) {
    case 'inbox':
    case 'drafts':
    case 'scheduled':
    case 'reminders':
    case 'recent':
    case 'channels':
    case 'settings':
      return false;
    case 'feed':
      return true;
    case 'mentions':
      return each.flags.some((flag) => flag.includes('mentioned'));
    case 'starred':
      return each.flags.includes('starred');
    case 'search':
      return null;
    case 'channel':
      return each.stream_id === narrow.channelId;
    default:
      return isSameNarrow(narrowOf(each), narrow);
  }
}

export const isRead = (each: Message) => each.flags.includes('read');
