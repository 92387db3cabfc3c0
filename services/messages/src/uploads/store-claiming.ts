import { announce } from '@parley/shared/bus';
import type { Database } from '@parley/shared/db';
import type { NewMessage } from '../messages/new-message';
import { type Stored, storeMessages } from '../messages/store-messages.sql';
import { claimUploads } from './claim-uploads';

/** Stores a message that links to uploaded files together with its links; such a message is not stored in a batch with others. */
export function storeClaiming(db: Database, message: NewMessage, attachmentIds: readonly number[]): Promise<Stored> {
  return db.transaction(async (tx) => {
    const [stored] = (await storeMessages(tx, [message])) as [Stored];
    if (!stored.isNew) return stored;
    // The statement has announced the message by itself.
    tx.hasAnnounced = true;
    await announce(tx, ...(await claimUploads(tx, message.sent.message.realmId, stored.messageId, attachmentIds)));
    return stored;
  });
}
