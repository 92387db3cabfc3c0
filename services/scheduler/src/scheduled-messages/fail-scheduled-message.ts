import { announce } from '@parley/shared/bus';
import { UnauthorizedError } from '@parley/shared/errors';
import { type DomainEvent, noticeAnnounced, scheduledMessageChanged } from '@parley/shared/events';
import type { Context } from '../context';
import { type ClaimedJob, settleDueJob } from '../due-jobs';
import { sendingCaller } from '../schedule/sending-caller';
import { failureNotice } from './failure-notice';
import { presentScheduledMessage, type StoredMessage } from './scheduled-message';
import { lockScheduledMessage, markFailed } from './scheduled-message.sql';

type Needed = Omit<Context, 'dueJobs'>;

const NOTHING_ASKED = {
  channelIds: [],
  mentionedNames: [],
  mentionedGroupNames: [],
  linkedChannelNames: [],
  emojiNames: [],
  withoutSend: true,
};

/** Keeps a message that cannot be sent, and why; its author is told, if they are still there. */
export async function failScheduledMessage(
  ctx: Needed,
  job: ClaimedJob,
  message: StoredMessage,
  failureMessage: string,
): Promise<void> {
  const botId = await findTeller(ctx, message);
  await ctx.db.transaction(async (tx) => {
    await lockScheduledMessage(tx, job);
    if (!(await settleDueJob(tx, job))) return;
    await markFailed(tx, job, failureMessage);
    if (botId !== null) await announce(tx, ...eventsOf({ ...message, failureMessage }, botId));
  });
}

/** The notification bot; null when the author, or the organization, is deactivated. */
async function findTeller({ services }: Needed, { realmId, userId }: StoredMessage): Promise<number | null> {
  try {
    const facts = await services.realm.getEditFacts(sendingCaller(realmId, userId), NOTHING_ASKED);
    return facts.read?.realm?.isDeactivated ? null : (facts.notificationBot?.id ?? null);
  } catch (error) {
    if (error instanceof UnauthorizedError) return null;
    throw error;
  }
}

function eventsOf(message: StoredMessage & { failureMessage: string }, botId: number): DomainEvent[] {
  const { realmId, userId, deliverAtMs, failureMessage } = message;
  const content = failureNotice(deliverAtMs, failureMessage);
  return [
    scheduledMessageChanged(realmId, { userId, scheduledMessage: presentScheduledMessage(message) }),
    noticeAnnounced(realmId, { senderId: botId, to: { userIds: [userId] }, content, readByIds: [] }),
  ];
}
