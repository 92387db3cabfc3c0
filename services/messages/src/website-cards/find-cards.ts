import type { WebsiteCard } from '@parley/shared/markdown';
import type { Context } from '../context';
import { fetchCard } from './fetch-card';
import { findPages, type KnownPage, storePage } from './website-card.sql';

const LIFETIME_MS = 24 * 60 * 60_000;
/** What could not be had may be there soon. */
const LIFETIME_OF_NONE_MS = 60 * 60_000;

type Needed = Pick<Context, 'db' | 'clock' | 'outside'>;

/** The cards of pages by their addresses, from what was found lately or else from the pages; those that have none are left out. */
export async function findCards(
  ctx: Needed,
  realmId: number,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, WebsiteCard>> {
  const known = await findPages(ctx.db, realmId, urls, ctx.clock.now());
  const unknown = urls.filter((url) => !known.some((page) => page.url === url));
  const fetched = await Promise.all(unknown.map((url) => fetchPage(ctx, realmId, url, signal)));
  const cards = [...known, ...fetched].flatMap(({ url, imageUrl, title, description }) =>
    imageUrl === null ? [] : [[url, { imageUrl, title, description }] as const],
  );
  return new Map(cards);
}

async function fetchPage({ db, clock, outside }: Needed, realmId: number, url: string, signal: AbortSignal) {
  const card = await fetchCard(outside, url, signal);
  const page: KnownPage = card === null ? { url, imageUrl: null, title: '', description: '' } : { url, ...card };
  const nowMs = clock.now();
  const expiresAtMs = nowMs + (card === null ? LIFETIME_OF_NONE_MS : LIFETIME_MS);
  // What was given up says nothing about the page.
  if (!signal.aborted) await storePage(db, realmId, page, { nowMs, expiresAtMs });
  return page;
}
