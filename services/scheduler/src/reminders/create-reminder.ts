import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { reminderAdded } from '@parley/shared/events';
import type { CreateReminderRequest, CreateReminderResponse } from '@parley/shared/proto';
import { findFirstAnswer, type KeyedRequest, keyedRequest, storeOnce } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { putDueJob } from '../due-jobs';
import { checkDeliveryTime } from '../schedule/delivery-time';
import { SCHEDULE_LIMITS } from '../schedule/schedule-limits';
import { countReminders, insertReminder, type NewReminder } from './reminder.sql';
import { reminderJob } from './reminder-jobs';

/** Lets the notification bot remind the caller of a message, which they may read now; once for whoever repeats it with its key. */
export async function createReminder(
  ctx: Context,
  caller: Caller,
  { messageId, note, deliverAtMs, idempotencyKey }: CreateReminderRequest,
): Promise<CreateReminderResponse> {
  const keyed = keyedRequest(caller, 'reminder', idempotencyKey, [messageId, note, deliverAtMs]);
  const first = await findFirstAnswer<CreateReminderResponse>(ctx, ctx.db, keyed);
  if (first) return first;
  checkDeliveryTime(deliverAtMs, ctx.clock.now());
  const [composed] = await Promise.all([
    ctx.services.messages.composeReminder(caller, { messageId, note }),
    checkRoom(ctx, caller),
  ]);
  const { realmId, userId } = caller;
  const answer = await store(ctx, realmId, { keyed, reminder: { userId, messageId, deliverAtMs, ...composed } });
  ctx.dueJobs.reminders.wake();
  return answer;
}

async function checkRoom({ db }: Context, caller: Caller): Promise<void> {
  if ((await countReminders(db, caller)) < SCHEDULE_LIMITS.reminders) return;
  throw new BadRequestError('There are too many reminders; delete some of them first.');
}

function store(
  ctx: Context,
  realmId: number,
  { keyed, reminder: { botId, ...reminder } }: { keyed: KeyedRequest | null; reminder: NewReminder },
): Promise<CreateReminderResponse> {
  const { userId, deliverAtMs } = reminder;
  return storeOnce(ctx, keyed, async (tx) => {
    const id = await insertReminder(tx, realmId, { ...reminder, botId });
    await putDueJob(tx, reminderJob(realmId, id), deliverAtMs);
    await announce(tx, reminderAdded(realmId, { userId, reminder: { ...reminder, id, hasFailed: false } }));
    return { reminderId: id };
  });
}
