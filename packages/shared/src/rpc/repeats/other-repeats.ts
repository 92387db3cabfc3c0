import { BadEventQueueIdError, NothingToDoError } from '../../errors';
import { ANOTHER_ONE, hasKey, REFUSED, type Repeats } from './repeat';

export const eventsRepeats: Repeats<'events'> = {
  createQueue: 'idempotent',
  deleteQueue: { settledBy: BadEventQueueIdError },
};

export const invitesRepeats: Repeats<'invites'> = {
  sendInvitations: { when: hasKey },
  createInvitationLink: { when: hasKey },
  revokeInvitation: REFUSED,
  revokeInvitationLink: { settledBy: NothingToDoError },
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
  deleteScheduledMessage: { settledBy: NothingToDoError },
  createReminder: { when: hasKey },
  deleteReminder: { settledBy: NothingToDoError },
  addPushDevice: 'idempotent',
  removePushDevice: { settledBy: NothingToDoError },
  testPush: ANOTHER_ONE,
  replayWebhookDeliveries: ANOTHER_ONE,
  erasePerson: 'idempotent',
  resumeImported: ANOTHER_ONE,
  refillLog: ANOTHER_ONE,
};
