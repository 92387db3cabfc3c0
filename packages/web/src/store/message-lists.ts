import type { PublicEvent } from '@parley/client-model/rules';
import { batch, effect, signal, untracked } from '@preact/signals';
import { call } from '../api/call';
import { type Conversation, hasMessages, isSameNarrow, type Narrow, type Place, termsOf } from '../narrow/narrow';
import { moveWriting } from './composing';
import { keepSoon } from './drafts';
import { type Anchor, fetchPage, type Match, matchesIn, type Page, shownFirst } from './message-pages';
import { belongsTo, deletedIn, forgetOthers, isRead, type Message, message, messageNow } from './messages';
import { isReady, onEvent, registration } from './model';
import { isVisible, moveTo, place } from './place';

export { belongsTo, type Message, message, narrowOf, otherIds, type Reaction } from './messages';

/** A message on the screen, how far below the upper edge it was, and where its list was scrolled to. */
export interface Seen {
  id: number;
  top: number;
  scrollTop: number;
  isAtEnd: boolean;
}

const FIRST = { before: 40, after: 40 };
const AGAIN = { before: 100, after: 100 };
const MORE = 80;
/** So many are drawn at once, with some before the message to be seen first; the others follow in steps. */
const AT_ONCE = 32;
const AT_ONCE_BEFORE = 8;
/** Eight do not fit into a frame; with three, what each step costs by itself is more than is gained. */
const STEP = 5;
/** Messages that a list keeps; those at the far end are dropped, and fetched again when they are scrolled to. */
const MOST = 250;

/** The messages of a narrow, in one piece without gaps. */
export class MessageList {
  readonly ids = signal<readonly number[]>([]);
  /** The message to be seen first; null: the newest. */
  readonly anchorId = signal<number | null>(null);
  /** Counts requests to show the anchor. */
  readonly jumps = signal(0);
  /** Where the line of new messages is; stays when they are read. */
  readonly firstUnreadId = signal<number | null>(null);
  readonly hasOldest = signal(false);
  readonly hasNewest = signal(false);
  readonly isLoading = signal(false);
  /** The person has scrolled away from the newest. */
  readonly isFarFromEnd = signal(false);
  readonly error = signal<unknown>(null);
  readonly matches = new Map<number, Match>();
  /** Noted by the view, to come back to it. */
  seen: Seen | undefined;
  /** Whether a view shows it. */
  isShown = false;
  #loading: Promise<void> | null = null;
  /** Came while messages were fetched: the answer may be older than they are. */
  #late: number[] = [];
  #mustRefresh = false;
  readonly #registration = registration.value;

  constructor(
    readonly narrow: Narrow,
    readonly nearId?: number,
    private readonly former?: MessageList,
  ) {
    // Its messages are on the screen until they are fetched anew.
    if (former) {
      this.ids.value = former.ids.value;
      this.seen = former.seen;
      this.firstUnreadId.value = former.firstUnreadId.value;
    }
  }

  /** Whether it was fetched before the client registered anew, and may lack messages. */
  get isOutOfDate(): boolean {
    return this.#registration !== registration.value;
  }

  get isFull(): boolean {
    return this.ids.value.length >= MOST;
  }

  open(): Promise<void> {
    if (this.nearId !== undefined) return this.#openAt(this.nearId, FIRST);
    const { seen } = this;
    if (this.former && seen) return this.#openAt(seen.id, AGAIN, false);
    return this.#openAt(isTextSearch(this.narrow) ? 'newest' : 'first_unread', FIRST);
  }

  /** Shows what is unread, or what was seen last, to somebody who comes back. */
  reopen(): void {
    if (!this.hasNewest.value && this.ids.value.length > 0) {
      void this.show('first_unread');
      return;
    }
    const unreadId = this.ids.value.find(isUnread) ?? null;
    this.firstUnreadId.value = unreadId;
    this.anchorId.value = unreadId;
  }

  /** Goes to a message, which is fetched if it is not here. */
  async show(anchor: Anchor): Promise<void> {
    // The page being fetched may lack it.
    while (!this.#has(anchor) && this.#loading) await this.#loading;
    this.seen = undefined;
    if (!this.#has(anchor)) return this.#openAt(anchor, FIRST);
    this.#jumpTo(typeof anchor === 'number' ? anchor : null);
  }

  #has(anchor: Anchor): boolean {
    return anchor === 'newest' ? this.hasNewest.value : typeof anchor === 'number' && this.ids.value.includes(anchor);
  }

  /** Fetches all of it again, at the place where the person is. What is being fetched may be older than what has happened. */
  async refresh(): Promise<void> {
    if (this.#mustRefresh) return;
    this.#mustRefresh = true;
    while (this.#loading) await this.#loading;
    this.#mustRefresh = false;
    const at = this.seen && !this.seen.isAtEnd ? this.seen.id : 'newest';
    return this.#openAt(at, AGAIN, false);
  }

  #openAt(anchor: Anchor, { before, after }: typeof FIRST, isJump = true): Promise<void> {
    return this.#load(anchor, before, after, (page) => {
      const ids = page.messages.map(({ id }) => id);
      const line = this.firstUnreadId.value;
      const isLineOld = line === null || !isUnread(line);
      if (isJump || isLineOld) this.firstUnreadId.value = ids.find(isUnread) ?? (isJump ? null : line);
      const shownId = isJump ? shownFirst(anchor, page) : null;
      const rest = this.#begin(page, ids, isJump ? (shownId ?? ids.at(-1)) : undefined);
      if (isJump) this.#jumpTo(shownId);
      forgetOthers(shownIds);
      return rest();
    });
  }

  /** Draws the messages around this one, or all of them; `rest` draws the others. */
  #begin(page: Page, ids: readonly number[], aroundId: number | undefined): () => Promise<void> {
    const at = aroundId === undefined ? -1 : ids.indexOf(aroundId);
    const first = Math.max(Math.min(at - AT_ONCE_BEFORE, ids.length - AT_ONCE), 0);
    const [from, to] = at < 0 ? [0, ids.length] : [first, first + AT_ONCE];
    this.ids.value = ids.slice(from, to);
    this.hasOldest.value = from === 0 && page.found_oldest;
    this.hasNewest.value = to >= ids.length && page.found_newest;
    return async () => {
      await this.#growDown(ids.slice(to), page.found_newest);
      await this.#growUp(ids.slice(0, from), page.found_oldest);
    };
  }

  #jumpTo(id: number | null): void {
    this.anchorId.value = id;
    this.jumps.value += 1;
  }

  loadOlder(): Promise<void> {
    const [first] = this.ids.value;
    if (first === undefined || this.hasOldest.value) return Promise.resolve();
    return this.#load(first, MORE, 0, (page) =>
      this.#growUp(
        page.messages.map(({ id }) => id).filter((id) => id < first),
        page.found_oldest,
      ),
    );
  }

  loadNewer(): Promise<void> {
    const last = this.ids.value.at(-1);
    if (last === undefined || this.hasNewest.value) return Promise.resolve();
    return this.#load(last, 0, MORE, (page) =>
      this.#growDown(
        page.messages.map(({ id }) => id).filter((id) => id > last),
        page.found_newest,
      ),
    );
  }

  async #growUp(older: number[], isOldest: boolean): Promise<void> {
    while (older.length > 0) await this.#step(() => this.#prepend(older.splice(-STEP)));
    this.hasOldest.value = isOldest;
  }

  async #growDown(newer: number[], isNewest: boolean): Promise<void> {
    while (newer.length > 0) await this.#step(() => this.#add(newer.splice(0, STEP)));
    this.hasNewest.value = isNewest;
  }

  #prepend(older: readonly number[]): void {
    const ids = [...older, ...this.ids.value];
    // Keep the rows of a reader at the end, who sees new messages arrive.
    const most = this.seen?.isAtEnd && this.hasNewest.value ? 2 * MOST : MOST;
    if (ids.length > most) this.hasNewest.value = false;
    this.ids.value = ids.slice(0, most);
  }

  #add(newer: readonly number[]): void {
    this.ids.value = this.#newestOf([...this.ids.value, ...newer]);
  }

  #newestOf(ids: readonly number[]): readonly number[] {
    if (ids.length > MOST) this.hasOldest.value = false;
    return ids.slice(-MOST);
  }

  /** So many messages are drawn in a frame that scrolling stays smooth. */
  async #step(grow: () => void): Promise<void> {
    batch(grow);
    if (typeof document !== 'undefined' && !document.hidden) await new Promise(requestAnimationFrame);
  }

  /** New messages that belong here; only at the end are there no others between. */
  append(newIds: readonly number[]): void {
    if (this.#loading) this.#late.push(...newIds);
    const last = this.ids.value.at(-1) ?? 0;
    const added = newIds.filter((id) => id > last);
    if (!this.hasNewest.value || added.length === 0) return;
    const ids = [...this.ids.value, ...added];
    const isReading = this.seen !== undefined && !this.seen.isAtEnd;
    // Nothing is taken away from somebody who reads further up: when they come down, what does not fit is fetched.
    if (isReading && ids.length > 2 * MOST) this.hasNewest.value = false;
    else this.ids.value = isReading ? ids : this.#newestOf(ids);
    this.#markNews(added);
  }

  /** Messages that arrive while the page is hidden are marked as new. */
  #markNews(added: readonly number[]): void {
    const line = this.firstUnreadId.value;
    const isOld = line === null || !isUnread(line);
    const isWatched = typeof document !== 'undefined' && !document.hidden;
    if (isOld && !isWatched) this.firstUnreadId.value = added.find(isUnread) ?? line;
  }

  drop(ids: ReadonlySet<number>): void {
    if (this.ids.value.some((id) => ids.has(id))) this.ids.value = this.ids.value.filter((id) => !ids.has(id));
  }

  async #load(
    anchor: Anchor,
    before: number,
    after: number,
    take: (page: Page) => void | Promise<void>,
  ): Promise<void> {
    if (this.#loading) return this.#loading;
    this.isLoading.value = true;
    this.error.value = null;
    this.#loading = fetchPage(this.narrow, anchor, before, after)
      .then((page) => {
        for (const [id, match] of matchesIn(page)) this.matches.set(id, match);
        return batch(() => take(page));
      })
      .catch((error) => {
        this.error.value = error;
      })
      .finally(() => {
        this.#loading = null;
        this.isLoading.value = false;
        this.append(this.#late.splice(0));
      });
    return this.#loading;
  }
}

/** Search results are seldom unread, so they open at the newest. */
const isTextSearch = (narrow: Narrow) => termsOf(narrow).some(({ operator }) => operator === 'search');

function isUnread(id: number): boolean {
  const each = messageNow(id);
  return each !== undefined && !isRead(each);
}

const lists: MessageList[] = [];
const KEPT_LISTS = 12;

function shownIds(): ReadonlySet<number> {
  return new Set(lists.flatMap((list) => list.ids.value));
}

/** The list of a place: the one that is open already, or a new one. */
export function listAt({ narrow, nearId }: Place): MessageList {
  const former = lists.find((list) => isSameNarrow(list.narrow, narrow));
  const hasIt = former && (nearId === undefined || former.nearId === nearId || former.ids.value.includes(nearId));
  if (former && hasIt && !former.isOutOfDate) {
    return former;
  }
  const isContinued = former?.isOutOfDate && former.isShown && (nearId === undefined || nearId === former.nearId);
  const list = new MessageList(narrow, isContinued ? undefined : nearId, isContinued ? former : undefined);
  lists.unshift(list);
  if (former) lists.splice(lists.indexOf(former), 1);
  lists.splice(KEPT_LISTS);
  void list.open();
  return list;
}

// Messages are requested before their view is drawn.
effect(() => {
  const at = place.value;
  if (isReady.value && hasMessages(at.narrow) && isVisible(at.narrow)) untracked(() => listAt(at));
});

/** Messages that came since the last turn: many at once after sleep, which lists take together. */
let arrived: Message[] = [];

onEvent((event) => {
  if (event.type === 'message') arrive((event['message'] as Message).id);
  if (event.type === 'delete_message') {
    takeArrived();
    const ids = new Set(deletedIn(event));
    for (const list of lists) list.drop(ids);
  }
  if (event.type === 'update_message' && event['propagate_mode'] !== undefined) {
    takeArrived();
    takeMoved(event);
  }
});

function arrive(id: number): void {
  const each = messageNow(id);
  if (!each) return;
  if (arrived.length === 0) queueMicrotask(takeArrived);
  arrived.push(each);
}

function takeArrived(): void {
  const news = arrived;
  arrived = [];
  if (news.length === 0) return;
  batch(() => {
    for (const list of lists) {
      list.append(news.filter((each) => belongsTo(list.narrow, each)).map(({ id }) => id));
      if (list.narrow.kind === 'search') void appendFound(list, news);
    }
    forgetOthers(shownIds);
  });
}

/** Only the server knows whether a search finds them. */
async function appendFound(list: MessageList, news: readonly Message[]): Promise<void> {
  if (!list.hasNewest.value || !isSameNarrow(list.narrow, place.value.narrow)) return;
  try {
    const { messages } = await call<{ messages: Record<string, { match_content?: string; match_subject?: string }> }>(
      'GET',
      '/messages/matches_narrow',
      { msg_ids: news.map(({ id }) => id), narrow: termsOf(list.narrow) },
    );
    const found = Object.entries(messages);
    for (const [id, match] of found) list.matches.set(Number(id), { content: match.match_content });
    list.append(found.map(([id]) => Number(id)));
  } catch {
    // They are there when it is searched again.
  }
}

/** Messages leave the lists to which they belong no longer; lists to which they came are fetched again. */
function takeMoved(event: PublicEvent): void {
  const ids = event['message_ids'] as number[];
  const channelId = (event['new_stream_id'] ?? event['stream_id']) as number;
  const topic = (event['subject'] ?? event['orig_subject']) as string;
  const to: Conversation = { kind: 'topic', channelId, topic };
  const from: Conversation = {
    kind: 'topic',
    channelId: event['stream_id'] as number,
    topic: event['orig_subject'] as string,
  };
  for (const list of lists) {
    const moved = ids.filter((id) => {
      const each = messageNow(id);
      return each && belongsTo(list.narrow, each) === false;
    });
    const before = list.ids.value.length;
    list.drop(new Set(moved));
    // Before the first page has come, the mode says it.
    const isUnknown = before === 0 && !list.hasNewest.value;
    const wasWhole = isUnknown
      ? isSameNarrow(list.narrow, from) && event['propagate_mode'] === 'change_all'
      : before > 0 && list.ids.value.length === 0;
    if (wasWhole) goAlong(list.narrow, to);
    const isThere =
      isSameNarrow(list.narrow, to) ||
      (list.narrow.kind === 'channel' && event['new_stream_id'] === list.narrow.channelId);
    if (isThere) void list.refresh();
  }
}

/** The view follows a conversation that was moved as a whole, and so does what is written there. */
function goAlong(from: Narrow, to: Conversation): void {
  batch(() => {
    const writing = from.kind === 'topic' ? moveWriting(from, to) : null;
    if (writing) keepSoon(writing);
    if (isSameNarrow(place.value.narrow, from)) moveTo(to);
  });
}

export function messagesOf(ids: readonly number[]): Message[] {
  return ids.map(message).filter((each): each is Message => each !== undefined);
}
