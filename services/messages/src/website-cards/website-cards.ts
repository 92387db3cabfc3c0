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
import { loadMessages, type MessageRowWithHolders } from '../messages/message.sql';
import { fetchCard } from './read-card';
import { type KnownPage, replaceRendering, storePage } from './website-card.sql';

/** A message may also be rendered again because of finished thumbnails, between the attempts. */
const MAX_ATTEMPTS = 5;

/** Adds cards below the links of a stored message, and announces the new rendering to its audience. */
export async function addCards(ctx: Context, wanted: LinkingMessage, signal: AbortSignal): Promise<void> {
  const cards = await findCards(ctx, wanted.realmId, wanted.urls, signal);
  if (cards.size === 0 || signal.aborted) return;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const [message] = await loadMessages(ctx.db, wanted.realmId, [wanted.messageId], wanted.senderId);
    if (message === undefined || (await renderAgain(ctx, wanted.realmId, message, cards))) return;
  }
}

/** False if the message has changed meanwhile. */
async function renderAgain(
  ctx: Context,
  realmId: number,
  message: MessageRowWithHolders,
  cards: ReadonlyMap<string, WebsiteCard>,
): Promise<boolean> {
  const author = { ...newCall(), realmId, userId: message.senderId };
  const { html } = await renderAs(ctx, author, message.content, cards);
  if (html === message.renderedContent) return true;
  const kinds = await loadChannelKinds(ctx, realmId, message.channelId === null ? [] : [message.channelId]);
  const audienceChannels = await withOutsiders(ctx, realmId, [...kinds.values()], message.holderIds);
  const channels = new Map(audienceChannels.map((channel) => [channel.id, channel]));
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
/** Shorter: a page that failed may work soon. */
const LIFETIME_OF_NONE_MS = 60 * 60_000;

type Needed = Pick<Context, 'db' | 'prisma' | 'clock' | 'outside'>;

/** The cards of pages by address, from the cache or else from the pages. Pages without a card are omitted. */
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

/** Cached pages that have not expired. */
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
  // An aborted fetch says nothing about the page.
  if (!signal.aborted) await storePage(db, realmId, page, { nowMs, expiresAtMs });
  return page;
}

/** Number of messages whose pages are fetched at a time, one per sender; each has a few dozen pages at most. */
const MAX_AT_ONCE = 16;
/** Messages beyond these limits get no cards; the limit by sender keeps one sender's slow pages from blocking others. */
const MAX_WAITING = 1_000;
const MAX_WAITING_OF_SENDER = 20;

/** A stored message that links to pages. */
export interface LinkingMessage {
  realmId: number;
  senderId: number;
  messageId: number;
  urls: readonly string[];
}

/** Adds cards to messages after they are sent: no sender waits for a page. */
export interface LateCards {
  want(message: LinkingMessage): void;
  /** Aborts the fetches in progress. */
  stop(): Promise<void>;
}

/** NOTE: pending work is lost when the process ends; such a message is complete without cards. */
export function createLateCards(add: AddCards, log: Logger): LateCards {
  return new CardQueue(add, log);
}

type AddCards = (message: LinkingMessage, signal: AbortSignal) => Promise<void>;

class CardQueue implements LateCards {
  readonly #waiting: LinkingMessage[] = [];
  /** By sender. */
  readonly #running = new Map<string, { work: Promise<void>; aborting: AbortController }>();
  #isStopped = false;

  constructor(
    private readonly add: AddCards,
    private readonly log: Logger,
  ) {}

  want(message: LinkingMessage): void {
    if (message.urls.length === 0 || this.#isStopped || !this.#mayWait(message)) return;
    this.#waiting.push(message);
    this.#startNext();
  }

  #mayWait(message: LinkingMessage): boolean {
    const ofSender = this.#waiting.filter((other) => senderOf(other) === senderOf(message));
    return this.#waiting.length < MAX_WAITING && ofSender.length < MAX_WAITING_OF_SENDER;
  }

  #startNext(): void {
    const at = this.#waiting.findIndex((message) => !this.#running.has(senderOf(message)));
    if (at === -1 || this.#running.size >= MAX_AT_ONCE) return;
    const [message] = this.#waiting.splice(at, 1) as [LinkingMessage];
    const aborting = new AbortController();
    const work = this.add(message, aborting.signal)
      .catch((error) =>
        this.log.warn({ err: error, messageId: message.messageId }, 'adding website cards to a message failed'),
      )
      .finally(() => {
        this.#running.delete(senderOf(message));
        this.#startNext();
      });
    this.#running.set(senderOf(message), { work, aborting });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.length = 0;
    const running = [...this.#running.values()];
    for (const { aborting } of running) aborting.abort();
    await Promise.all(running.map(({ work }) => work));
  }
}

const senderOf = ({ realmId, senderId }: LinkingMessage) => `${realmId} ${senderId}`;
