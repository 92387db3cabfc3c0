import { call } from '../api/call';
import { type Narrow, termsOf } from '../narrow/narrow';
import { type Message, remember } from './messages';

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

/** Fetches messages, and keeps them. */
export async function fetchPage(narrow: Narrow, anchor: Anchor, before: number, after: number): Promise<Page> {
  const where = typeof anchor === 'object' ? { anchor: 'date', anchor_date: anchor.date } : { anchor };
  const page = await call<Page>('GET', '/messages', {
    ...{ ...where, num_before: before, num_after: after, narrow: termsOf(narrow) },
    ...{ client_gravatar: false, allow_empty_topic_name: true },
  });
  remember(page.messages);
  return page;
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
