import { ANOTHER_ONE, hasKey, REFUSED, type Repeats } from './repeat';

export const eventsRepeats: Repeats<'events'> = {
  getQueueBeginning: 'read',
  createQueue: 'idempotent',
  deleteQueue: { settledBy: 'BAD_EVENT_QUEUE_ID' },
  listQueues: 'read',
};

export const invitesRepeats: Repeats<'invites'> = {
  sendInvitations: { when: hasKey },
  createInvitationLink: { when: hasKey },
  listInvitations: 'read',
  revokeInvitation: REFUSED,
  revokeInvitationLink: { settledBy: 'Invitation has already been revoked' },
  resendInvitation: ANOTHER_ONE,
  listUndeliveredMails: 'read',
  deleteEndedInvitations: 'idempotent',
  purgeRealm: 'idempotent',
  lookUpInvitation: 'read',
  acceptInvitation: REFUSED,
  getOutboxLag: 'read',
  getSnapshot: 'read',
  refillLog: ANOTHER_ONE,
};

export const schedulerRepeats: Repeats<'scheduler'> = {
  createScheduledMessage: { when: hasKey },
  listScheduledMessages: 'read',
  updateScheduledMessage: 'idempotent',
  deleteScheduledMessage: { settledBy: 'Scheduled message does not exist' },
  createReminder: { when: hasKey },
  listReminders: 'read',
  deleteReminder: { settledBy: 'Reminder does not exist' },
  listWebhookDeliveries: 'read',
  replayWebhookDeliveries: ANOTHER_ONE,
  getSchedule: 'read',
  erasePerson: 'idempotent',
  resumeImported: ANOTHER_ONE,
  getOutboxLag: 'read',
  refillLog: ANOTHER_ONE,
};
