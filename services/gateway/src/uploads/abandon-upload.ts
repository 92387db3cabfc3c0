import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { renewedCall } from './renewed-call';
import { deleteUpload } from './upload-store';

/** Deletes a failed upload; if that fails, the periodic cleanup deletes it later. */
export async function abandonUpload(
  { uploads, services, log }: Pick<Context, 'uploads' | 'services' | 'log'>,
  caller: Caller,
  pathId: string,
): Promise<void> {
  try {
    await deleteUpload(uploads.store, pathId);
    await services.messages.forgetUploads(renewedCall(caller), { places: [{ realmId: caller.realmId, pathId }] });
  } catch (error) {
    log.warn({ err: error, pathId, requestId: caller.requestId }, 'an incomplete file could not be deleted');
  }
}
