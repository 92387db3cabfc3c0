import type { Reminders } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { selectReminders } from './reminder.sql';

/** The caller's own that were not sent, by time. */
export async function listReminders({ db }: Context, caller: Caller): Promise<Reminders> {
  return { reminders: await selectReminders(db, caller) };
}
