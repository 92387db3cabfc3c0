import type { RealmsToPurge } from '@parley/shared/proto';
import type { Context } from '../context';
import { listRealmsToPurge as listIds } from './purge.sql';

/** Closed organizations whose data is to be deleted by now, whoever was closed first at first. */
export async function listRealmsToPurge({ db, clock }: Context): Promise<RealmsToPurge> {
  return { realmIds: await listIds(db, clock.now()) };
}
