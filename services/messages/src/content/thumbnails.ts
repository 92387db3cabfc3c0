import { announce } from '@parley/shared/bus';
import { ChangedMeanwhile, repeatOnConflict, type Transaction } from '@parley/shared/db';
import type { Audience, DomainEvent } from '@parley/shared/events';
import { settlePreviews } from '@parley/shared/markdown';
import type { SettleThumbnailsRequest, SettleThumbnailsResponse, UploadPlaces } from '@parley/shared/proto';
import { loadChannelKinds } from '../channels/load-channel-kinds';
import { requireQueried, withOutsiders } from '../channels/outsiders';
import type { Context } from '../context';
import { type AudienceChannel, audienceOfMessage } from '../messages/edit-audiences';
import { loadMessages, type MessageRow, type MessageRowWithHolders } from '../messages/message.sql';
import { listHistoricalHolders } from '../read-state/personal-flags.sql';
import { lockByPath, type UploadRow } from '../uploads/attachment.sql';
import { toMarkdownUpload } from '../uploads/find-uploads';
import { renderedAgain } from './render-as';
import {
  listSettledBehind,
  listWaitingIn,
  lockWaiting,
  setRendered,
  settle,
  takePending,
  type WaitingMessage,
} from './thumbnails.sql';

// Not jobs of shared/jobs: the gateway that received an image makes its thumbnails at once, and only unfinished ones are retried,
// by the state in the image's row. A job would cost each upload two more writes.

/** Making thumbnails takes seconds; after this time the attempt is considered lost. */
const ATTEMPT_MS = 3 * 60_000;
const MAX_AT_ONCE = 20;

/** Returns some images whose last attempt to make thumbnails has timed out, for another attempt. */
export async function takePendingThumbnails({ db, clock }: Context): Promise<UploadPlaces> {
  const nowMs = clock.now();
  return { places: await takePending(db, nowMs, nowMs - ATTEMPT_MS, MAX_AT_ONCE) };
}

/** Stores whether an image's thumbnails can be shown, and replaces the placeholders in messages by them (or by nothing). */
export function settleThumbnails(ctx: Context, request: SettleThumbnailsRequest): Promise<SettleThumbnailsResponse> {
  const { realmId, pathId, isReady } = request;
  return repeatOnConflict(realmId, async () => {
    const channels = await loadAudienceChannels(ctx, request);
    return ctx.db.transaction(async (tx) => {
      if ((await settle(tx, { realmId, pathId }, isReady)) === null) return {};
      const upload = (await lockByPath(tx, realmId, pathId)) as UploadRow;
      const audienceOf = (message: MessageRowWithHolders) => audienceNow(message, channels);
      await announce(tx, ...(await showSettled(tx, realmId, upload, audienceOf, ctx.clock.now())));
      return {};
    });
  });
}

/** The channels of messages with placeholders. */
async function loadAudienceChannels(
  ctx: Context,
  request: SettleThumbnailsRequest,
): Promise<ReadonlyMap<number, AudienceChannel>> {
  const { realmId } = request;
  const waiting = await listWaitingIn(ctx.db, request);
  const kinds = await loadChannelKinds(ctx, realmId, [...new Set(waiting.map(({ channelId }) => channelId))]);
  const isAnyPrivate = [...kinds.values()].some(({ isPrivate }) => isPrivate);
  const messageIds = waiting.map(({ messageId }) => messageId);
  const holderIds = isAnyPrivate ? await listHistoricalHolders(ctx.db, realmId, messageIds) : [];
  const audienceChannels = await withOutsiders(ctx, realmId, [...kinds.values()], holderIds);
  return new Map(audienceChannels.map((channel) => [channel.id, channel]));
}

/** Throws if the message was moved to its channel after the channels were loaded. */
function audienceNow(message: MessageRowWithHolders, channels: ReadonlyMap<number, AudienceChannel>): Audience {
  const channel = message.channelId === null ? null : channels.get(message.channelId);
  if (channel === undefined) throw new ChangedMeanwhile();
  if (channel) requireQueried(channel, message.holderIds);
  return audienceOfMessage(message, channels, [], message.holderIds);
}

type AudienceOf = (message: MessageRowWithHolders) => Audience;

/** Replaces placeholders in messages by the image. Returns the events to announce. */
async function showSettled(
  tx: Transaction,
  realmId: number,
  upload: UploadRow,
  audienceOf: AudienceOf,
  nowMs: number,
): Promise<DomainEvent[]> {
  return showIn(tx, await lockWaiting(tx, realmId, upload.id), { realmId, upload, audienceOf, nowMs });
}

async function showIn(
  tx: Transaction,
  messages: readonly WaitingMessage[],
  { realmId, upload, audienceOf, nowMs }: { realmId: number; upload: UploadRow; audienceOf: AudienceOf; nowMs: number },
): Promise<DomainEvent[]> {
  if (messages.length === 0) return [];
  const waiting = new Map(messages.map((message) => [message.messageId, message]));
  const picture = toMarkdownUpload(upload);
  const shown = (await loadMessages(tx, realmId, [...waiting.keys()], upload.ownerId))
    .map((message) => ({ message, renderedContent: settlePreviews(message.renderedContent, picture) }))
    // Some messages have placeholders of other images only.
    .filter(({ message, renderedContent }) => renderedContent !== message.renderedContent);
  const contentOf = ({ message, renderedContent }: { message: MessageRow; renderedContent: string }) =>
    [message.id, renderedContent] as const;
  await setRendered(tx, realmId, new Map(shown.map(contentOf)));
  return shown.map(({ message, renderedContent }) => {
    const mentioned = waiting.get(message.id) as WaitingMessage;
    return renderedAgain(realmId, message, { renderedContent, mentioned, audience: audienceOf(message), nowMs });
  });
}

/** A message that was just stored, in the same transaction, with all files it links to. */
export interface LinkingMessage {
  realmId: number;
  messageId: number;
  attachmentIds: readonly number[];
  /** The receivers of the new rendering. */
  audience: Audience;
  nowMs: number;
}

/**
 * The same for one message that was just stored: its images may have been settled since it was rendered, by a
 * transaction that did not see the message. The files, or the message, are locked, so a later settlement sees it.
 */
export async function showSettledBehind(tx: Transaction, message: LinkingMessage): Promise<DomainEvent[]> {
  const { realmId, messageId, attachmentIds, audience, nowMs } = message;
  if (attachmentIds.length === 0) return [];
  const events: DomainEvent[] = [];
  for (const upload of await listSettledBehind(tx, realmId, messageId, attachmentIds)) {
    const waiting = await lockWaiting(tx, realmId, upload.id, messageId);
    events.push(...(await showIn(tx, waiting, { realmId, upload, audienceOf: () => audience, nowMs })));
  }
  return events;
}
