import { signal } from '@preact/signals';
import { call } from '../api/call';
import { isSameNarrow, type Narrow, type Place, termsOf } from '../narrow/narrow';
import { changed, onEvent, read, registration } from './model';

export interface Reaction {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
  user_id: number;
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
  flags: string[];
  last_edit_timestamp?: number;
  last_moved_timestamp?: number;
}

interface Page {
  anchor: number;
  found_oldest: boolean;
  found_newest: boolean;
  messages: Message[];
}

const FIRST = { before: 40, after: 40 };
const MORE = 80;
/** Messages that a list keeps; those at the far end are dropped, and fetched again when they are scrolled to. */
const MOST = 400;

/** The messages of a narrow, in one piece without gaps. */
export class MessageList {
  readonly ids = signal<readonly number[]>([]);
  /** Where it is opened: the message to be seen first. */
  readonly anchorId = signal<number | null>(null);
  readonly hasOldest = signal(false);
  readonly hasNewest = signal(false);
  readonly error = signal<unknown>(null);
  #loading: Promise<void> | null = null;
  readonly #registration = registration.value;

  constructor(
    readonly narrow: Narrow,
    private readonly nearId?: number,
  ) {}

  /** Whether it was fetched before the client registered anew, and may lack messages. */
  get isOutOfDate(): boolean {
    return this.#registration !== registration.value;
  }

  open(): Promise<void> {
    const anchor = this.nearId ?? 'first_unread';
    return this.#load(anchor, FIRST.before, FIRST.after, (page) => {
      this.anchorId.value = page.messages.length > 0 ? page.anchor : null;
      this.ids.value = page.messages.map(({ id }) => id);
      this.hasOldest.value = page.found_oldest;
      this.hasNewest.value = page.found_newest;
    });
  }

  loadOlder(): Promise<void> {
    const [first] = this.ids.value;
    if (first === undefined || this.hasOldest.value) return Promise.resolve();
    return this.#load(first, MORE, 0, (page) => {
      const older = page.messages.map(({ id }) => id).filter((id) => id < first);
      const ids = [...older, ...this.ids.value];
      if (ids.length > MOST) this.hasNewest.value = false;
      this.ids.value = ids.slice(0, MOST);
      this.hasOldest.value = page.found_oldest;
    });
  }

  loadNewer(): Promise<void> {
    const last = this.ids.value.at(-1);
    if (last === undefined || this.hasNewest.value) return Promise.resolve();
    return this.#load(last, 0, MORE, (page) => {
      const newer = page.messages.map(({ id }) => id).filter((id) => id > last);
      const ids = [...this.ids.value, ...newer];
      if (ids.length > MOST) this.hasOldest.value = false;
      this.ids.value = ids.slice(-MOST);
      this.hasNewest.value = page.found_newest;
    });
  }

  /** A new message that belongs here; only at the end are there no others between. */
  append(id: number): void {
    if (this.hasNewest.value && !this.ids.value.includes(id)) this.ids.value = [...this.ids.value, id].slice(-MOST);
  }

  drop(ids: ReadonlySet<number>): void {
    if (this.ids.value.some((id) => ids.has(id))) this.ids.value = this.ids.value.filter((id) => !ids.has(id));
  }

  async #load(anchor: number | string, before: number, after: number, take: (page: Page) => void): Promise<void> {
    this.#loading ??= this.#fetch(anchor, before, after)
      .then(take)
      .catch((error) => {
        this.error.value = error;
      })
      .finally(() => {
        this.#loading = null;
      });
    return this.#loading;
  }

  async #fetch(anchor: number | string, num_before: number, num_after: number): Promise<Page> {
    this.error.value = null;
    const page = await call<Page>('GET', '/messages', {
      ...{ anchor, num_before, num_after, narrow: termsOf(this.narrow) },
      ...{ client_gravatar: false, allow_empty_topic_name: true },
    });
    remember(page.messages);
    return page;
  }
}

function cache(): Message[] {
  return (read() as unknown as { messages: Message[] }).messages;
}

let index: { of: Message[]; length: number; byId: Map<number, Message> } | undefined;

/** A fetched message. */
export function message(id: number): Message | undefined {
  const messages = read('messages') && cache();
  if (index?.of !== messages || index.length !== messages.length) {
    index = { of: messages, length: messages.length, byId: new Map(messages.map((each) => [each.id, each])) };
  }
  return index.byId.get(id);
}

function remember(messages: readonly Message[]): void {
  const known = new Set(cache().map(({ id }) => id));
  cache().push(...messages.filter(({ id }) => !known.has(id)));
  changed('messages');
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
      return false;
    case 'feed':
      return true;
    case 'mentions':
      return each.flags.some((flag) => flag.includes('mentioned'));
    case 'starred':
      return each.flags.includes('starred');
    case 'search':
      return null;
    default:
      return isSameNarrow(narrow.kind === 'channel' ? withoutTopic(narrowOf(each)) : narrowOf(each), narrow);
  }
}

function withoutTopic(narrow: Narrow): Narrow {
  return narrow.kind === 'topic' ? { kind: 'channel', channelId: narrow.channelId } : narrow;
}

/** The conversation of a message. */
export function narrowOf({ stream_id, subject, display_recipient }: Message): Narrow {
  if (stream_id !== undefined) return { kind: 'topic', channelId: stream_id, topic: subject };
  return { kind: 'direct', userIds: otherIds((display_recipient as { id: number }[]).map(({ id }) => id)) };
}

/** Of a conversation, without oneself; one's own notes are with oneself. */
export function otherIds(userIds: readonly number[]): number[] {
  const { user_id: own } = read();
  const others = userIds.filter((id) => id !== own);
  return others.length === 0 ? [own] : others.sort((a, b) => a - b);
}

const lists: MessageList[] = [];
const KEPT_LISTS = 12;

/** The list of a place: the one that is open already, or a new one. */
export function listAt({ narrow, nearId }: Place): MessageList {
  const known = lists.find((list) => isSameNarrow(list.narrow, narrow) && !list.isOutOfDate);
  const hasIt = known && (nearId === undefined || known.ids.value.includes(nearId));
  if (known && hasIt) return known;
  const list = new MessageList(narrow, nearId);
  lists.unshift(list);
  lists.splice(KEPT_LISTS);
  void list.open();
  return list;
}

onEvent((event) => {
  if (event.type === 'message') {
    const id = (event['message'] as Message).id;
    const each = message(id);
    if (each) for (const list of lists) if (belongsTo(list.narrow, each)) list.append(id);
  }
  if (event.type === 'delete_message') {
    const ids = new Set((event['message_ids'] as number[] | undefined) ?? [event['message_id'] as number]);
    for (const list of lists) list.drop(ids);
  }
  if (event.type === 'update_message' && event['propagate_mode'] !== undefined)
    leaveWhatMoved(event['message_ids'] as number[]);
});

function leaveWhatMoved(ids: readonly number[]): void {
  for (const list of lists) {
    const moved = ids.filter((id) => {
      const each = message(id);
      return each && belongsTo(list.narrow, each) === false;
    });
    list.drop(new Set(moved));
  }
}
