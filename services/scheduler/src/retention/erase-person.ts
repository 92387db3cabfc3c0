import type { ErasePersonRequest, Purged } from '@parley/shared/proto';
import type { Context } from '../context';
import { deleteScheduledOf } from './retention.sql';

/** Deletes what a person has scheduled, and their reminders. For the operator's command. */
export async function erasePerson({ db }: Context, { realmId, userId }: ErasePersonRequest): Promise<Purged> {
  return { deleted: await db.transaction((tx) => deleteScheduledOf(tx, realmId, userId)), isComplete: true };
}
