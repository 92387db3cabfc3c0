import { batch, signal } from '@preact/signals';
import { type Narrow, termsOf } from '../narrow/narrow';
import { type Anchor, fetchPage, type Match, matchesIn, type Page, shownFirst } from './message-pages';
import { forgetOthers, isRead, messageNow } from './messages';
import { registration } from './model';

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
  /** What has happened while it was not shown may have changed what belongs to it. */
  isStale = false;
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

  /** After it could not be fetched. */
  retry(): Promise<void> {
    return this.ids.value.length === 0 ? this.open() : this.refresh();
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

  /** Whether a message that belongs here would be among those that are fetched. */
  reaches(id: number): boolean {
    const { value: ids } = this.ids;
    const [isFirst, isLast] = [id < (ids[0] ?? 0), id > (ids.at(-1) ?? 0)];
    return (!isFirst || this.hasOldest.value) && (!isLast || this.hasNewest.value);
  }

  /** What a search finds in messages, after they were changed. */
  mark(matches: ReadonlyMap<number, Match>): void {
    for (const [id, match] of matches) this.matches.set(id, match);
    if (this.ids.value.some((id) => matches.has(id))) this.ids.value = [...this.ids.value];
  }

  /** They say something else now. */
  unmark(ids: readonly number[]): void {
    for (const id of ids) this.matches.delete(id);
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

/** Those that are kept, the last opened first. */
export const lists: MessageList[] = [];

/** The messages of all of them. */
export function shownIds(): ReadonlySet<number> {
  return new Set(lists.flatMap((list) => list.ids.value));
}
