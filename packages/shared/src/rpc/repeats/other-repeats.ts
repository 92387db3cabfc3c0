import { ANOTHER_ONE, hasKey, REFUSED, type Repeats } from './repeat';

export const eventsRepeats: Repeats<'events'> = {
  createQueue: 'idempotent',
  deleteQueue: { settledBy: 'BAD_EVENT_QUEUE_ID' },
};

export const invitesRepeats: Repeats<'invites'> = {
  sendInvitations: { when: hasKey },
  createInvitationLink: { when: hasKey },
  revokeInvitation: REFUSED,
  revokeInvitationLink: { settledBy: 'Invitation has already been revoked' },
  resendInvitation: ANOTHER_ONE,
  deleteEndedInvitations: 'idempotent',
  purgeRealm: 'idempotent',
  lookUpInvitation: 'read',
  acceptInvitation: REFUSED,
  refillLog: ANOTHER_ONE,
};

export const schedulerRepeats: Repeats<'scheduler'> = {
  createScheduledMessage: { when: hasKey },
  updateScheduledMessage: 'idempotent',
  deleteScheduledMessage: { settledBy: 'Scheduled message does not exist' },
  createReminder: { when: hasKey },
  deleteReminder: { settledBy: 'Reminder does not exist' },
  addPushDevice: 'idempotent',
  removePushDevice: { settledBy: 'Token does not exist' },
  testPush: ANOTHER_ONE,
  replayWebhookDeliveries: ANOTHER_ONE,
  erasePerson: 'idempotent',
  resumeImported: ANOTHER_ONE,
  refillLog: ANOTHER_ONE,
};
