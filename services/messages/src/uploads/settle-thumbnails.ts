import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type Audience, type DomainEvent, messageEdited } from '@parley/shared/events';
import type { SettleThumbnailsRequest, SettleThumbnailsResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { settlePreviews } from '../markdown';
import { loadMessages, type MessageRow } from '../messages/message.sql';
import { lockByPath, type UploadRow } from './attachment.sql';
import { toMarkdownUpload } from './preview-facts';
import { lockWaiting, setRendered, settle } from './thumbnails.sql';

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
  const mentioned = new Map(waiting.map(({ messageId, mentionedIds }) => [messageId, mentionedIds]));
  return messages
    .filter(isWhereItWasSent)
    .map((message) =>
      renderedAgain(realmId, message, rendered.get(message.id) as string, mentioned.get(message.id), nowMs),
    );
}

/** Of a message that was moved within these seconds nobody is told: who was sent it may no longer have it. */
function isWhereItWasSent({ channelId, sentChannelId }: MessageRow): boolean {
  return channelId === sentChannelId;
}

function renderedAgain(
  realmId: number,
  message: MessageRow,
  renderedContent: string,
  mentionedIds: number[] = [],
  editedAtMs: number,
): DomainEvent {
  const { id, senderId, content, isMeMessage, isReadBySender, readByIds, mentionsChannel, mentionsTopic } = message;
  return messageEdited(realmId, {
    editorId: null,
    editedAtMs,
    messageId: id,
    messageIds: [id],
    content: {
      prevContent: content,
      prevRenderedContent: message.renderedContent,
      content,
      renderedContent,
      isMeMessage,
    },
    audience: audienceOf(message),
    readByIds: isReadBySender ? [senderId, ...readByIds] : readByIds,
    mentionedIds,
    mentionsChannel,
    mentionsTopic,
  });
}

/** Whoever was sent the message. */
function audienceOf({ sentChannelId, sentVersion, participantIds }: MessageRow): Audience {
  if (sentChannelId === null || sentVersion === null) return { to: 'users', userIds: participantIds ?? [] };
  return { to: 'subscribers', channelId: sentChannelId, version: sentVersion, isPublic: false };
}
