import { announce } from '@parley/shared/bus';
import { attachmentRemoved } from '@parley/shared/events';
import type { ForgetUploadsResponse, UploadPlaces } from '@parley/shared/proto';
import type { Context } from '../context';
import { addSpace } from './attachment.sql';
import { deleteRowsOfDeleted, markExpired } from './link.sql';

const MAX_AT_ONCE = 100;

/** Returns some files whose bytes may be deleted now. */
export async function expireUploads({ db, clock }: Context): Promise<UploadPlaces> {
  return { places: await markExpired(db, clock.now(), MAX_AT_ONCE) };
}

/** Deletes the rows of files whose bytes are deleted, and notifies the owners of complete files. */
export function forgetUploads({ db }: Context, { places }: UploadPlaces): Promise<ForgetUploadsResponse> {
  return db.transaction(async (tx) => {
    const events = [];
    for (const { realmId, id, ownerId, size, wasStored } of await deleteRowsOfDeleted(tx, places)) {
      if (!wasStored) continue;
      const { bytes: uploadSpaceUsed } = await addSpace(tx, realmId, -size);
      events.push(attachmentRemoved(realmId, { ownerId, attachmentId: id, uploadSpaceUsed }));
    }
    await announce(tx, ...events);
    return {};
  });
}
