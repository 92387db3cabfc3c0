import type { Reminders } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { selectReminders } from './reminder.sql';
import { withhold } from './withhold';

/** The caller's own that were not sent, by time. */
export async function listReminders(ctx: Context, caller: Caller): Promise<Reminders> {
  return { reminders: await withhold(ctx, caller, await selectReminders(ctx.db, caller)) };
}
