import { announce } from '@parley/shared/bus';
import type { WebsiteCard } from '@parley/shared/markdown';
import { newCall } from '@parley/shared/rpc';
import { loadChannelKinds } from '../channels/load-channel-kinds';
import { withOutsiders } from '../channels/outsiders';
import type { Context } from '../context';
import { audienceOfMessage } from '../edits/edit-audiences';
import { type HeldMessageRow, loadMessages } from '../messages/message.sql';
import { renderAs } from '../messages/render-as';
import { renderedAgain } from '../messages/rendered-again';
import { findCards } from './find-cards';
import type { LinkingMessage } from './late-cards';
import { replaceRendering } from './website-card.sql';

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
