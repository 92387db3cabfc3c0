import { batched } from '@parley/shared/batch';
import { announce, tracedPayload } from '@parley/shared/bus';
import type { Database } from '@parley/shared/db';
import { audienceOfSent, channelWoken, type DomainEvent, webhookBotsCalled } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { claimUploads } from '../content/claim-uploads';
import type { NewMessage } from '../content/new-message';
import { messageLink } from '../messages/present-messages';
import { type Stored, storeMessages, TOPIC_IS_NEW } from './store-messages.sql';

const MAX_ATTEMPTS = 5;
/** Serialization failures, and conditions that a retry resolves. */
const REPEATABLE = new Set(['40001', '40P01', TOPIC_IS_NEW]);
/** Data exceptions and violated constraints, which a single message can cause. */
const FAULTY_DATA = /^2[23]/;

/**
 * Group commit: while two batches are being stored, further messages collect for the next one; a single message is not delayed.
 */
export function joinStores(db: Database): (message: NewMessage) => Promise<Stored> {
  const storeBatched = batched((messages: NewMessage[]) => storeBatch(db, messages), { maxItems: 64, maxInFlight: 2 });
  return (message) => {
    // Its own trace, since a batch runs in that of its first message.
    if (!isStoredAlone(message)) return storeBatched({ ...message, sent: tracedPayload(message.sent) });
    return repeatingFailures(() => storeAlone(db, message));
  };
}

/** Returns each message's result, or the error that it alone has caused. */
export async function storeBatch(db: Database, messages: NewMessage[]): Promise<(Stored | Error)[]> {
  try {
    const stored = await repeatingFailures(() => storeMessages(db, messages));
    if (stored.some(({ isNew }) => isNew)) db.onAnnounced();
    return stored;
  } catch (error) {
    if (!FAULTY_DATA.test(sqlState(error))) throw error;
    return messages.length === 1 ? [error as Error] : storeSingly(db, messages);
  }
}

/** The batch was rolled back because of some of its messages; the others are stored one by one. */
async function storeSingly(db: Database, messages: NewMessage[]): Promise<(Stored | Error)[]> {
  const results: (Stored | Error)[] = [];
  for (const message of messages) results.push(...(await storeBatch(db, [message])));
  return results;
}

async function repeatingFailures<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !REPEATABLE.has(sqlState(error))) throw error;
    }
  }
}

function sqlState(error: unknown): string {
  return String((error as { code?: unknown }).code);
}

/** Whether a message has rare effects: links to uploaded files, a call of bots, or the end of a quiet channel. */
export function isStoredAlone({ attachmentIds = [], call = null, wakesChannel = false }: NewMessage): boolean {
  return attachmentIds.length > 0 || call !== null || wakesChannel;
}

/** Stores a message with rare effects, outside of a batch. */
function storeAlone(db: Database, message: NewMessage): Promise<Stored> {
  return db.transaction(async (tx) => {
    const [stored] = (await storeMessages(tx, [message])) as [Stored];
    if (!stored.isNew) return stored;
    // The statement has inserted the event, too.
    tx.hasAnnounced = true;
    const { attachmentIds = [], sent } = message;
    const { realmId, sentAtMs } = sent.message;
    const { messageId } = stored;
    // The set of subscribers has not changed since.
    const audience = audienceOfSent(sent);
    const claimed = await claimUploads(tx, { realmId, messageId, attachmentIds, audience, nowMs: sentAtMs });
    await announce(tx, ...claimed, ...callOf(message, messageId), ...wakingOf(message));
    return stored;
  });
}

function callOf({ call = null, sent: { message } }: NewMessage, messageId: number): DomainEvent[] {
  if (call === null) return [];
  const { realmId, sender, channelId } = message;
  const called = {
    ...call,
    messageId,
    senderId: (sender as User).id,
    ...(channelId !== undefined && { channelId }),
    messageHref: messageLink({ ...message, id: messageId }),
  };
  return [webhookBotsCalled(realmId, called)];
}

function wakingOf({ wakesChannel = false, sent: { message } }: NewMessage): DomainEvent[] {
  const { realmId, channelId } = message;
  return wakesChannel && channelId !== undefined ? [channelWoken(realmId, { channelId })] : [];
}
