import { readOutboxLag, refillLog } from '@parley/shared/bus';
import { listUndeliveredMails } from '@parley/shared/mail';
import { byCaller, type Implementation } from '@parley/shared/rpc';
import { resumeImported } from './archive/resume-imported';
import type { Context } from './context';
import { addPushDevice, listWebPushSubscriptions, removePushDevice } from './push/push-devices';
import { testPush } from './push/test-push';
import { getSchedule } from './register/get-schedule';
import { createReminder, deleteReminder, listReminders } from './reminders/reminders';
import { findReplyAddress } from './reply-addresses/reply-addresses';
import { erasePerson } from './retention/retention';
import {
  createScheduledMessage,
  deleteScheduledMessage,
  listScheduledMessages,
  updateScheduledMessage,
} from './scheduled-messages/scheduled-messages';
import { listWebhookDeliveries, replayWebhookDeliveries } from './webhooks/failed-deliveries';

/** Before they change anything they call realm or messages on behalf of the caller. */
export const CONFIRMED_WITHIN = ['createReminder'] as const;

/** Every method of proto/scheduler.proto and its action. */
export function implementation(ctx: Context): Implementation<'scheduler'> {
  return {
    createScheduledMessage: byCaller((caller, request) => createScheduledMessage(ctx, caller, request)),
    listScheduledMessages: byCaller((caller) => listScheduledMessages(ctx, caller)),
    updateScheduledMessage: byCaller((caller, request) => updateScheduledMessage(ctx, caller, request)),
    deleteScheduledMessage: byCaller((caller, request) => deleteScheduledMessage(ctx, caller, request)),
    createReminder: byCaller((caller, request) => createReminder(ctx, caller, request)),
    listReminders: byCaller((caller) => listReminders(ctx, caller)),
    deleteReminder: byCaller((caller, request) => deleteReminder(ctx, caller, request)),
    addPushDevice: byCaller((caller, request) => addPushDevice(ctx, caller, request)),
    removePushDevice: byCaller((caller, request) => removePushDevice(ctx, caller, request)),
    listWebPushSubscriptions: byCaller((caller) => listWebPushSubscriptions(ctx, caller)),
    testPush: byCaller((caller, request) => testPush(ctx, caller, request)),
    listWebhookDeliveries: (_call, request) => listWebhookDeliveries(ctx, request),
    replayWebhookDeliveries: (call, request) => replayWebhookDeliveries(ctx, call, request),
    findReplyAddress: (_call, request) => findReplyAddress(ctx, request),
    listUndeliveredMails: () => listUndeliveredMails(ctx.db),
    erasePerson: (_call, request) => erasePerson(ctx, request),
    resumeImported: (_call, request) => resumeImported(ctx, request),
    getOutboxLag: () => readOutboxLag(ctx.db),
    refillLog: ({ requestId }, request) => refillLog(ctx.db, { service: 'scheduler', requestId }, request),
    getSchedule: byCaller((caller, request) => getSchedule(ctx, caller, request)),
  };
}
