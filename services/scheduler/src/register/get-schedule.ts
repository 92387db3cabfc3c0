import type { GetScheduleRequest, Schedule } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { withhold } from '../reminders/withheld-text';
import { loadSchedule } from './schedule.sql';

/** The caller's scheduled messages and reminders, for POST /register. */
export async function getSchedule(ctx: Context, caller: Caller, wanted: GetScheduleRequest): Promise<Schedule> {
  const { reminders, ...schedule } = await loadSchedule(ctx.db, caller, wanted);
  return { ...schedule, reminders: await withhold(ctx, caller, reminders) };
}
