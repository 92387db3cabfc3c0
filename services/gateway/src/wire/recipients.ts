import { BadRequestError } from '@parley/shared/errors';
import type { SendMessageRequest } from '@parley/shared/proto';
import { z } from 'zod';
import { parseJsonOrText } from '../http/parse-json';

type Destination = Pick<
  SendMessageRequest,
  'isDirect' | 'channelId' | 'channelName' | 'recipientIds' | 'recipientEmails'
>;

/** The parameter `to`; its meaning depends on the message's type. */
export const recipientsSchema = z
  .union([z.string(), z.int(), z.array(z.string()), z.array(z.int())])
  .optional()
  .describe('A channel by name or id, or the API e-mail addresses or ids of the recipients of a direct message.');

/** The destination of a message. `to` is JSON or, for older clients, plain text. */
export function decodeRecipients(isDirect: boolean, to: string | undefined): Destination {
  const nowhere = { isDirect, recipientIds: [], recipientEmails: [] };
  if (!isDirect) return { ...nowhere, ...decodeChannel(to) };
  return { ...nowhere, ...(to === undefined ? {} : decodeUsers(parseJsonOrText('to', to))) };
}

function decodeChannel(to: string | undefined): Pick<Destination, 'channelId' | 'channelName'> {
  // The sender may have a default channel.
  if (to === undefined) return {};
  let channel = parseJsonOrText('to', to);
  if (Array.isArray(channel)) {
    if (channel.length !== 1) throw new BadRequestError('Expected exactly one channel');
    channel = channel[0];
  }
  if (typeof channel === 'string') return { channelName: channel.trim() };
  if (Number.isSafeInteger(channel)) return { channelId: channel as number };
  throw new BadRequestError('Invalid data type for channel');
}

function decodeUsers(sent: unknown): Partial<Pick<Destination, 'recipientIds' | 'recipientEmails'>> {
  const list = typeof sent === 'string' ? sent.split(',') : sent;
  if (!Array.isArray(list)) throw new BadRequestError('Invalid data type for recipients');
  const [first] = list;
  if (typeof first === 'string') return { recipientEmails: emailsOf(list) };
  if (first === undefined || Number.isSafeInteger(first)) return { recipientIds: idsOf(list) };
  throw new BadRequestError('Invalid data type for recipients');
}

function emailsOf(list: unknown[]): string[] {
  if (!list.every((email) => typeof email === 'string')) throw mixed();
  return [...new Set(list.map((email) => email.trim()))].filter((email) => email !== '');
}

function idsOf(list: unknown[]): number[] {
  if (!list.every((id) => Number.isSafeInteger(id))) throw mixed();
  return [...new Set(list as number[])];
}

function mixed(): BadRequestError {
  return new BadRequestError('Recipient lists may contain emails or user IDs, but not both.');
}
