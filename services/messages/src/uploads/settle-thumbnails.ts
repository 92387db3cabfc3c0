import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import type { DomainEvent } from '@parley/shared/events';
import type { SettleThumbnailsRequest, SettleThumbnailsResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { settlePreviews } from '../markdown';
import { loadMessages } from '../messages/message.sql';
import { renderedAgain } from '../messages/rendered-again';
import { lockByPath, type UploadRow } from './attachment.sql';
import { toMarkdownUpload } from './preview-facts';
import { lockWaiting, setRendered, settle, type WaitingMessage } from './thumbnails.sql';

/** Notes whether an image's thumbnails can be shown, and puts them (or nothing) where messages hold their place. */
export function settleThumbnails(ctx: Context, request: SettleThumbnailsRequest): Promise<SettleThumbnailsResponse> {
  const { realmId, pathId, isReady } = request;
  return ctx.db.transaction(async (tx) => {
    if ((await settle(tx, { realmId, pathId }, isReady)) === null) return {};
    const upload = (await lockByPath(tx, realmId, pathId)) as UploadRow;
    await announce(tx, ...(await renderAgain(tx, realmId, upload, ctx.clock.now())));
    return {};
  });
}

async function renderAgain(tx: Transaction, realmId: number, upload: UploadRow, nowMs: number): Promise<DomainEvent[]> {
  const waiting = await lockWaiting(tx, realmId, upload.id);
  if (waiting.length === 0) return [];
  const messages = await loadMessages(
    tx,
    realmId,
    waiting.map(({ messageId }) => messageId),
    upload.ownerId,
  );
  const picture = toMarkdownUpload(upload);
  const rendered = new Map(messages.map(({ id, renderedContent }) => [id, settlePreviews(renderedContent, picture)]));
  await setRendered(tx, realmId, rendered);
  const mentions = new Map(waiting.map((message) => [message.messageId, message]));
  return messages.flatMap((message) =>
    renderedAgain(
      realmId,
      message,
      rendered.get(message.id) as string,
      mentions.get(message.id) as WaitingMessage,
      nowMs,
    ),
  );
}
