import { createHash } from 'node:crypto';
import { type Caller, newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { abandonAttachments, type StoredAttachments, storeAttachments } from './attachments';
import { reasonToDrop } from './automatic-mail';
import { type ContentRules, composeContent } from './compose-content';
import { failedAddresses } from './delivery-report';
import type { ParsedMail } from './parse-program';
import {
  type BounceRecipient,
  type ChannelRecipient,
  callerOf,
  type Place,
  type Recipient,
  type ReplyRecipient,
} from './recipients';
import { SmtpRefusal } from './smtp-refusal';
import { topicOfSubject } from './topic-of-subject';

export type Needed = Pick<Context, 'config' | 'uploads' | 'services' | 'log'>;

/** A mail that was received as a whole. */
export interface ReceivedMail {
  mail: ParsedMail;
  /** Empty: it came without a return path, as reports do. */
  envelopeSender: string;
  requestId: string;
}

/** The client name shown for the message. */
const CLIENT_NAME = 'Email';
const DELIVERY_STATUS = 'message/delivery-status';

/**
 * Makes a message of the mail for one recipient, with the sender's rights of this moment. The same mail to the same address is one
 * message, however often it is delivered. Returns what came of it, for the log. Throws SmtpRefusal, and errors of services.
 */
export async function deliverMail(ctx: Needed, received: ReceivedMail, recipient: Recipient): Promise<string> {
  const { mail, envelopeSender, requestId } = received;
  if (recipient.kind === 'bounce') return noteBounces(ctx, received, recipient);
  const ownHost = ctx.config.EXTERNAL_HOST.replace(/:\d+$/, '');
  const reason = reasonToDrop(recipient.kind, { headers: mail.headers, envelopeSender, ownHost });
  if (reason !== null) return `dropped: ${reason}`;
  const caller = callerOf(recipient, requestId);
  const files = await storeAttachments(ctx, caller, mail);
  try {
    await send(ctx, caller, { mail, files, recipient });
    return 'sent';
  } catch (error) {
    // NOTE: after a lost answer the message may link to them, so only a refusal deletes them; others are deleted as unused files.
    if (error instanceof SmtpRefusal || isRefusal(error)) await abandonAttachments(ctx, caller, files);
    throw error;
  }
}

/** Mails end to an address that does not exist, says a server's report about a mail to its owner. */
async function noteBounces(
  { services }: Needed,
  { mail, requestId }: ReceivedMail,
  { realmId, userId }: BounceRecipient,
): Promise<string> {
  const report = mail.attachments.find(({ contentType }) => contentType === DELIVERY_STATUS);
  const failed = failedAddresses(Buffer.from(report?.content ?? []).toString());
  for (const { address, reason } of failed) {
    await services.realm.noteMailBounced(newCall(requestId), { realmId, userId, address, reason });
  }
  return failed.length > 0 ? 'noted: an address that refuses mails' : 'dropped: no report of a lasting failure';
}

interface Sending {
  mail: ParsedMail;
  files: StoredAttachments;
  recipient: ReplyRecipient | ChannelRecipient;
}

async function send({ services }: Needed, caller: Caller, { mail, files, recipient }: Sending): Promise<void> {
  const content = composeContent(mail, files.lines, rulesOf(recipient));
  if (content === '') throw new SmtpRefusal(550, '5.6.0 The mail has no text of its own');
  const isAnswer = recipient.kind === 'channel' && recipient.isSentByService;
  await services.messages.sendMessage(callerOf(recipient, caller.requestId), {
    ...placeOf(recipient, mail),
    recipientEmails: [],
    content,
    isReadBySender: true,
    clientName: CLIENT_NAME,
    jobKey: jobKeyOf(mail, recipient.key),
    ...(isAnswer && { isAnswer }),
  });
}

function rulesOf(recipient: Sending['recipient']): ContentRules {
  if (recipient.kind === 'reply') return { options: new Set(), isSentByService: false };
  const { options, isSentByService } = recipient;
  return { options, isSentByService };
}

function placeOf(recipient: Sending['recipient'], { subject }: ParsedMail): Place {
  if (recipient.kind === 'reply') return recipient.place;
  const { channelId } = recipient;
  return { isDirect: false, recipientIds: [], channelId, topic: topicOfSubject(subject) };
}

/** The mail and its recipient: by its message id or, without one, by all that a server sends again in the same way. */
function jobKeyOf({ headers, from, subject, text, markdown, attachments }: ParsedMail, recipientKey: string): string {
  const sizes = attachments.map(({ content }) => content.length);
  const identity = headers['message-id'] ?? JSON.stringify([headers['date'], from, subject, text, markdown, sizes]);
  return `mail:${createHash('sha256').update(`${recipientKey} ${identity}`).digest('base64url')}`;
}

function isRefusal(error: unknown): boolean {
  const { httpStatus = 500 } = error as { httpStatus?: number };
  return httpStatus < 500;
}
