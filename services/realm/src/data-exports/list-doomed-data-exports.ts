import type { DoomedDataExports } from '@parley/shared/proto';
import type { Context } from '../context';
import { listDoomed } from './data-exports.sql';

const MAX_LISTED = 100;

/** What the gateway is to delete, and to tell when it has. */
export async function listDoomedDataExports({ db }: Context): Promise<DoomedDataExports> {
  return { doomed: await listDoomed(db, MAX_LISTED) };
}
