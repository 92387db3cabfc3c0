import type { ScheduledMessages } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { selectScheduledMessages } from './scheduled-message.sql';

/** The caller's own that were not sent, by time. */
export async function listScheduledMessages({ db }: Context, caller: Caller): Promise<ScheduledMessages> {
  return { scheduledMessages: await selectScheduledMessages(db, caller) };
}
