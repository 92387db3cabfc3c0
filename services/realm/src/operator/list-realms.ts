import type { RealmList } from '@parley/shared/proto';
import type { Context } from '../context';
import { listRealms as loadRealms } from './operator.sql';

/** Every organization. For the operator's command. */
export async function listRealms({ db }: Context): Promise<RealmList> {
  return { realms: await loadRealms(db) };
}
