import { randomUUID } from 'node:crypto';
import { BadRequestError } from '@parley/shared/errors';
import { composeMail, createMailer, senderOf } from '@parley/shared/mail';
import type { SendTestMailRequest, SendTestMailResponse } from '@parley/shared/proto';
import type { Context } from '../context';
import { emailFromInput } from '../users/email-address';

/** Sends a mail at once, past the table of mails: whoever asks wants to hear what the server says. For the operator's command. */
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
