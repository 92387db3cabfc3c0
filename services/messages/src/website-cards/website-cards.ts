// Cards of linked pages: where the organization wants them (inline_url_embed_preview), pages that people (not bots) link to are fetched after the message
// is stored and the send is answered, through shared/outside-http: no sender waits for a page. One message of each sender at a time. A page's
// description (Open Graph, with a picture) is cached for a day in website_card, its absence for an hour. The message is then rendered again,
// if it has not changed meanwhile, and message.edited announces it without an editor. Pending work is lost when the process ends.

import { announce } from '@parley/shared/bus';
import type { WebsiteCard } from '@parley/shared/markdown';
import { newCall } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { loadChannelKinds } from '../channels/load-channel-kinds';
import { withOutsiders } from '../channels/outsiders';
import { renderAs, renderedAgain } from '../content/render-as';
import type { Context } from '../context';
import { audienceOfMessage } from '../messages/edit-audiences';
import { type HeldMessageRow, loadMessages } from '../messages/message.sql';
import { fetchCard } from './read-card';
import { type KnownPage, replaceRendering, storePage } from './website-card.sql';

/** A message is rendered again when thumbnails of its pictures are ready, too; that is soon over. */
const MAX_ATTEMPTS = 5;

/** Puts cards below the links of a message that was stored a while ago, and tells whoever has it. */
export async function addCards(ctx: Context, wanted: LinkingMessage, signal: AbortSignal): Promise<void> {
  const cards = await findCards(ctx, wanted.realmId, wanted.urls, signal);
  if (cards.size === 0 || signal.aborted) return;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const [message] = await loadMessages(ctx.db, wanted.realmId, [wanted.messageId], wanted.senderId);
    if (message === undefined || (await renderAgain(ctx, wanted.realmId, message, cards))) return;
  }
}

/** False when the message has changed meanwhile. */
async function renderAgain(
  ctx: Context,
  realmId: number,
  message: HeldMessageRow,
  cards: ReadonlyMap<string, WebsiteCard>,
): Promise<boolean> {
  const author = { ...newCall(), realmId, userId: message.senderId };
  const { html } = await renderAs(ctx, author, message.content, cards);
  if (html === message.renderedContent) return true;
  const kinds = await loadChannelKinds(ctx, realmId, message.channelId === null ? [] : [message.channelId]);
  const told = await withOutsiders(ctx, realmId, [...kinds.values()], message.holderIds);
  const channels = new Map(told.map((channel) => [channel.id, channel]));
  const audience = audienceOfMessage(message, channels, [], message.holderIds);
  return ctx.db.transaction(async (tx) => {
    const mentioned = await replaceRendering(tx, realmId, message, html);
    if (mentioned === null) return false;
    const rerendering = { renderedContent: html, mentioned, audience, nowMs: ctx.clock.now() };
    await announce(tx, renderedAgain(realmId, message, rerendering));
    return true;
  });
}

const LIFETIME_MS = 24 * 60 * 60_000;
/** What could not be had may be there soon. */
const LIFETIME_OF_NONE_MS = 60 * 60_000;

type Needed = Pick<Context, 'db' | 'prisma' | 'clock' | 'outside'>;

/** The cards of pages by their addresses, from what was found lately or else from the pages; those that have none are left out. */
async function findCards(
  ctx: Needed,
  realmId: number,
  urls: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, WebsiteCard>> {
  const known = await findPages(ctx, realmId, urls);
  const unknown = urls.filter((url) => !known.some((page) => page.url === url));
  const fetched = await Promise.all(unknown.map((url) => fetchPage(ctx, realmId, url, signal)));
  const cards = [...known, ...fetched].flatMap(({ url, imageUrl, title, description }) =>
    imageUrl === null ? [] : [[url, { imageUrl, title, description }] as const],
  );
  return new Map(cards);
}

/** What is known of pages, and is not too old. */
function findPages({ prisma, clock }: Needed, realmId: number, urls: readonly string[]): Promise<KnownPage[]> {
  return prisma.websiteCard.findMany({
    where: { realmId, url: { in: [...urls] }, expiresAt: { gt: new Date(clock.now()) } },
    select: { url: true, imageUrl: true, title: true, description: true },
  });
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

/** Messages whose pages are asked for at a time, one of each sender; each asks for a few dozen at most. */
const MAX_AT_ONCE = 16;
/** Beyond that, messages do without: one sender's slow pages are nobody else's loss. */
const MAX_WAITING = 1_000;
const MAX_WAITING_OF_SENDER = 20;

/** A stored message that links to pages. */
export interface LinkingMessage {
  realmId: number;
  senderId: number;
  messageId: number;
  urls: readonly string[];
}

/** Cards that messages get once their pages have been asked for: nobody who sends waits for a page. */
export interface LateCards {
  want(message: LinkingMessage): void;
  /** Gives up what is underway. */
  stop(): Promise<void>;
}

/** NOTE: What waits is forgotten when the process ends; such a message has no cards, and is complete all the same. */
export function createLateCards(
  add: (message: LinkingMessage, signal: AbortSignal) => Promise<void>,
  log: Logger,
): LateCards {
  const waiting: LinkingMessage[] = [];
  /** By sender. */
  const underway = new Map<string, { work: Promise<void>; givingUp: AbortController }>();
  let isStopped = false;

  function startNext(): void {
    const at = waiting.findIndex((message) => !underway.has(senderOf(message)));
    if (at === -1 || underway.size >= MAX_AT_ONCE) return;
    const [message] = waiting.splice(at, 1) as [LinkingMessage];
    const givingUp = new AbortController();
    const work = add(message, givingUp.signal)
      .catch((error) => log.warn({ err: error, messageId: message.messageId }, 'a message got no website cards'))
      .finally(() => {
        underway.delete(senderOf(message));
        startNext();
      });
    underway.set(senderOf(message), { work, givingUp });
  }

  function mayWait(message: LinkingMessage): boolean {
    const ofSender = waiting.filter((other) => senderOf(other) === senderOf(message));
    return waiting.length < MAX_WAITING && ofSender.length < MAX_WAITING_OF_SENDER;
  }

  return {
    want(message) {
      if (message.urls.length === 0 || isStopped || !mayWait(message)) return;
      waiting.push(message);
      startNext();
    },
    async stop() {
      isStopped = true;
      waiting.length = 0;
      for (const { givingUp } of underway.values()) givingUp.abort();
      await Promise.all([...underway.values()].map(({ work }) => work));
    },
  };
}

const senderOf = ({ realmId, senderId }: LinkingMessage) => `${realmId} ${senderId}`;
