import type { VersionInterval } from '@parley/shared/proto';

/** Adds a value to the statement being built; returns its placeholder, for instance `$3::bigint`. */
export type Bind = (value: unknown, type: string) => string;

/** Adds them to these values. */
export function bindTo(values: unknown[]): Bind {
  return (value, type) => `$${values.push(value)}::${type}`;
}

/** A condition on a message, as SQL on `m` (and on `source`, see scope.sql.ts). */
export type Condition = (bind: Bind) => string;

/** A topic or direct conversation, and the channel of the former. */
export interface Conversation {
  id: number;
  channelId: number | null;
}

const IDS = new WeakMap<readonly Conversation[], readonly number[]>();

/** The same list each time: a statement binds it once, wherever it names it. */
export function idsOf(conversations: readonly Conversation[]): readonly number[] {
  const known = IDS.get(conversations) ?? conversations.map(({ id }) => id);
  IDS.set(conversations, known);
  return known;
}

/** The messages that a reader can find: received ones, or all of some channels' history. */
export type Scope = { kind: 'received' } | { kind: 'history'; channelIds: readonly number[] } | { kind: 'named' };

/** Words and quoted phrases to look for. */
export interface TextSearch {
  words: string;
  phrases: readonly string[];
}

/** An index that yields messages in the order of their ids. */
export type Route =
  | { kind: 'starred' | 'wildcard' | 'reaction' }
  | { kind: 'has'; what: string }
  | { kind: 'mention' | 'sender'; userId: number }
  | { kind: 'search'; words: string }
  | { kind: 'alert'; words: readonly string[] };

/** Routes that together yield all of the messages. */
export interface Lead {
  routes: readonly Route[];
  /** It yields the reader's own flags: no other way is shorter. */
  isPersonal: boolean;
  /** True for all messages that it yields. */
  known?: Condition;
}

/** Channels and conversations that together contain all matches. */
export interface Places {
  channelIds: readonly number[];
  conversationIds: readonly number[];
}

/** A narrow whose names have been looked up: which messages match. */
export interface Narrow {
  scope: Scope;
  /** Only these; undefined: any. */
  messageIds: readonly number[] | undefined;
  channelIds: readonly number[] | undefined;
  conversations: readonly Conversation[] | undefined;
  /** Where to search if few matches are found otherwise; undefined: anywhere. The conditions include this, too. */
  places: Places | undefined;
  /** Channels without any match. The conditions exclude them, too. */
  exceptChannelIds: readonly number[];
  /** No message before it matches: the search ends there. The conditions exclude them, too. */
  firstId: number;
  /** All other conditions. */
  conditions: readonly Condition[];
  /** The best, as far as can be told without statistics; undefined: none. */
  lead: Lead | undefined;
  /** Further ones, which may lead to fewer messages. */
  otherLeads: readonly Lead[];
  /** Only unread messages, which have a separate index. */
  isUnread: boolean;
  search: TextSearch | null;
  /** It names a channel: muted topics there are included. */
  namesChannel: boolean;
}

export const EVERYTHING: Narrow = {
  scope: { kind: 'received' },
  messageIds: undefined,
  channelIds: undefined,
  conversations: undefined,
  places: undefined,
  exceptChannelIds: [],
  firstId: 0,
  conditions: [],
  lead: undefined,
  otherLeads: [],
  isUnread: false,
  search: null,
  namesChannel: false,
};

export function multirange(intervals: readonly VersionInterval[]): string {
  return `{${intervals.map(({ fromVersion, toVersion }) => `[${fromVersion},${toVersion ?? ''})`).join(',')}}`;
}
