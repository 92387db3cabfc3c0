import type { UploadPlaces } from '@parley/shared/proto';
import type { Context } from '../context';
import { doomExpired } from './expire-uploads.sql';

const MAX_AT_ONCE = 100;

/** Some of the files whose bytes may be deleted now. */
export async function expireUploads({ db, clock }: Context): Promise<UploadPlaces> {
  return { places: await doomExpired(db, clock.now(), MAX_AT_ONCE) };
}
