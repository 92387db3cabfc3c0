import { call } from '../api/call';
import { type Narrow, termsOf } from '../narrow/narrow';
import { concernedBy, isFollowed, type Message, remember } from './messages';
import { onEvent } from './model';

/** A message with what a search found in it, as HTML. */
interface Found extends Message {
  match_content?: string;
  match_subject?: string;
}

export interface Match {
  content?: string | undefined;
  subject?: string | undefined;
}

/** Messages of a narrow around one of them. */
export interface Page {
  anchor: number;
  found_oldest: boolean;
  found_newest: boolean;
  messages: Found[];
}

/** Where a list can be opened: at a message, or at the first one of a day in ISO 8601. */
export type Anchor = number | 'first_unread' | 'newest' | { date: string };

/** Where messages change all the time, what is told meanwhile may be missing. */
const MOST_ATTEMPTS = 4;

/** Fetches messages, and keeps them. An answer that is older than what events have told about its messages is fetched again. */
export async function fetchPage(narrow: Narrow, anchor: Anchor, before: number, after: number): Promise<Page> {
  const where = typeof anchor === 'object' ? { anchor: 'date', anchor_date: anchor.date } : { anchor };
  for (let attempt = 1; ; attempt += 1) {
    const changes = noteChanges();
    const page = await call<Page>('GET', '/messages', {
      ...{ ...where, num_before: before, num_after: after, narrow: termsOf(narrow) },
      ...{ client_gravatar: false, allow_empty_topic_name: true },
    }).finally(changes.end);
    const isOlder = page.messages.some(({ id }) => changes.ids.has(id) && !isFollowed(id));
    if (isOlder && attempt < MOST_ATTEMPTS) continue;
    remember(page.messages);
    return page;
  }
}

/** The messages that events change or delete until it is ended. */
function noteChanges(): { ids: ReadonlySet<number>; end: () => void } {
  const ids = new Set<number>();
  const end = onEvent((event) => {
    if (event.type !== 'message') for (const id of concernedBy(event)) ids.add(id);
  });
  return { ids, end };
}

/** What a search found, by message. */
export function matchesIn({
  messages,
}: {
  messages: readonly Pick<Found, 'id' | 'match_content' | 'match_subject'>[];
}): (readonly [number, Match])[] {
  return messages.flatMap(({ id, match_content: content, match_subject: subject }) =>
    content === undefined && subject === undefined ? [] : [[id, { content, subject }] as const],
  );
}

/** The message itself, or the next one; null: the newest. */
export function shownFirst(anchor: Anchor, page: Page): number | null {
  if (anchor === 'newest') return null;
  return page.messages.find(({ id }) => id >= page.anchor)?.id ?? null;
}
