import { announce } from '@parley/shared/bus';
import type { Database } from '@parley/shared/db';
import { audienceOfSent, channelWoken, type DomainEvent, webhookBotsCalled } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { claimUploads } from '../uploads/claim-uploads';
import { messageLink } from './message-link';
import type { NewMessage } from './new-message';
import { type Stored, storeMessages } from './store-messages.sql';

/** Whether a message brings along what few do: links to uploaded files, a call of bots, or life for a quiet channel. */
export function isStoredAlone({ attachmentIds = [], call = null, wakesChannel = false }: NewMessage): boolean {
  return attachmentIds.length > 0 || call !== null || wakesChannel;
}

/** Stores such a message with what it brings along; it is not stored in a batch with others. */
export function storeAlone(db: Database, message: NewMessage): Promise<Stored> {
  return db.transaction(async (tx) => {
    const [stored] = (await storeMessages(tx, [message])) as [Stored];
    if (!stored.isNew) return stored;
    // The statement has announced the message by itself.
    tx.hasAnnounced = true;
    const { attachmentIds = [], sent } = message;
    const { realmId, sentAtMs } = sent.message;
    const { messageId } = stored;
    // Nobody has come to the channel, or left it, since.
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
