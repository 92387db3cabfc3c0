import { announce } from '@parley/shared/bus';
import type { Database } from '@parley/shared/db';
import { type DomainEvent, webhookBotsCalled } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { claimUploads } from '../uploads/claim-uploads';
import { messageLink } from './message-link';
import type { NewMessage } from './new-message';
import { type Stored, storeMessages } from './store-messages.sql';

/** Whether a message brings along what few do: links to uploaded files, or a call of bots. */
export function isStoredAlone({ attachmentIds = [], call = null }: NewMessage): boolean {
  return attachmentIds.length > 0 || call !== null;
}

/** Stores such a message with what it brings along; it is not stored in a batch with others. */
export function storeAlone(db: Database, message: NewMessage): Promise<Stored> {
  return db.transaction(async (tx) => {
    const [stored] = (await storeMessages(tx, [message])) as [Stored];
    if (!stored.isNew) return stored;
    // The statement has announced the message by itself.
    tx.hasAnnounced = true;
    const { attachmentIds = [], sent } = message;
    const claimed =
      attachmentIds.length === 0 ? [] : await claimUploads(tx, sent.message.realmId, stored.messageId, attachmentIds);
    await announce(tx, ...claimed, ...callOf(message, stored.messageId));
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
