import type { ConsumedEvent } from '@parley/shared/bus';
import type { UserSettingChanged } from '@parley/shared/events';
import type { Context } from '../context';
import { dropDrafts } from './draft.sql';

/** Whoever does not want drafts to be kept here any more has none; their clients know that without being told. */
export async function dropUnwantedDrafts(
  { db }: Pick<Context, 'db'>,
  events: readonly ConsumedEvent<UserSettingChanged>[],
): Promise<void> {
  for (const { id, realmId, payload } of events) {
    const { name, value, userId } = payload;
    if (name !== 'enable_drafts_synchronization' || value !== false) continue;
    await dropDrafts(db, { realmId, userId }, numberOf(id));
  }
}

/** The id of a service's event is its name and a number that grows. */
function numberOf(eventId: string): number {
  return Number(eventId.slice(eventId.lastIndexOf(':') + 1));
}
