import { randomUUID } from 'node:crypto';
import { BadRequestError } from '@parley/shared/errors';
import { composeMail, createMailer, senderOf } from '@parley/shared/mail';
import type {
  AnnounceNoticeRequest,
  AnnounceNoticeResponse,
  SendTestMailRequest,
  SendTestMailResponse,
} from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, LIMITS } from '@parley/shared/values';
import { emailFromInput } from '../accounts/email-address';
import { nameKey } from '../base/name-key';
import { possibleTexts } from '../base/possible-values';
import { loadChannelsByNames } from '../channel-access/channels.sql';
import type { Context } from '../context';
import { announceNotice as announce } from '../notices/announce-notice';
import { getRealm } from '../organization/change-organization';
import { listActivePeople } from './operator.sql';

/** Sends a message of the notification bot to a channel, or to everybody. For the operator's command. */
export async function announceNotice(ctx: Context, request: AnnounceNoticeRequest): Promise<AnnounceNoticeResponse> {
  const { subdomain, channelName, content } = request;
  requireText('content', content, LIMITS.messageLength);
  const { id: realmId, isDeactivated } = await getRealm(ctx, { subdomain });
  if (isDeactivated) throw new BadRequestError('This organization is deactivated');
  if (channelName === undefined) return announceToAll(ctx, realmId, content);
  requireText('topic', request.topic, LIMITS.topicLength);
  const channelId = await findOpenChannel(ctx, realmId, channelName);
  const to = { channelId, topic: request.topic.trim() };
  await ctx.db.transaction((tx) => announce(tx, realmId, { from: 'notification-bot', to, content, readByIds: [] }));
  return { realmId, receivers: 0 };
}

async function announceToAll(ctx: Context, realmId: number, content: string): Promise<AnnounceNoticeResponse> {
  return ctx.db.transaction(async (tx) => {
    const userIds = await listActivePeople(tx, realmId);
    const notice = { from: 'notification-bot', to: { userIds }, content, readByIds: [] } as const;
    if (userIds.length > 0) await announce(tx, realmId, notice);
    return { realmId, receivers: userIds.length };
  });
}

async function findOpenChannel({ db }: Context, realmId: number, name: string): Promise<number> {
  const [channel] = await loadChannelsByNames(db, realmId, possibleTexts([nameKey(name)]));
  if (!channel) throw new BadRequestError(`There is no channel '${name}'`);
  if (channel.isArchived) throw new BadRequestError(`The channel '${name}' is archived`);
  return channel.id;
}

function requireText(name: string, text: string, maxLength: number): void {
  if (text.trim() === '' || text.includes('\0'))
    throw new BadRequestError(`${name} is empty, or has a character that no text has`);
  if (codePointLength(text) > maxLength) throw new BadRequestError(REFUSAL.requests.tooLong(name, String(maxLength)));
}

/** Sends a mail at once, without the queue: the operator wants the mail server's answer. */
export async function sendTestMail(ctx: Context, request: SendTestMailRequest): Promise<SendTestMailResponse> {
  const address = emailFromInput(request.to);
  const { EXTERNAL_HOST } = ctx.config;
  const mailer = createMailer(ctx.config, ctx.log);
  try {
    await mailer.send({
      ...composeMail({
        subject: `A test mail of ${EXTERNAL_HOST}`,
        paragraphs: [`This is a test mail of ${EXTERNAL_HOST}. Mails of this server reach you.`],
        footer: 'It was sent because somebody who operates the server has asked for it.',
      }),
      to: { address, name: '' },
      from: senderOf(ctx.config),
      messageId: `test-${randomUUID()}@${EXTERNAL_HOST.replace(/:\d+$/, '')}`,
      sentAtMs: ctx.clock.now(),
    });
  } catch (error) {
    throw new BadRequestError(`The mail could not be sent: ${(error as Error).message}`);
  } finally {
    mailer.close();
  }
  return {};
}
