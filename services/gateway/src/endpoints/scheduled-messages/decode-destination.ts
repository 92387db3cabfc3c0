import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';
import { json } from '../../http/parameters';

const DIRECT_TYPES = ['direct', 'private'];
const MAX_RECIPIENTS = 1_000;

export const scheduledTypeSchema = z.enum(['direct', 'channel', 'stream', 'private']);

export const destinationSchema = z
  .union([z.int(), z.array(z.int()).max(MAX_RECIPIENTS)])
  .describe('The id of a channel, or those of the recipients of a direct message.');

type Destination = z.output<typeof destinationSchema>;

/** In seconds. */
export const deliveryTime = () => json(z.int().nonnegative().describe('When to send it, in seconds.'));

/** Throws in the words of the API: other forms of recipients are not taken here. */
export function readDestination(name: string, value: unknown): Destination {
  if (Number.isSafeInteger(value)) return value as number;
  if (!Array.isArray(value) || !value.every((id) => Number.isSafeInteger(id))) {
    throw new BadRequestError(`${name}["int"] is not an integer`);
  }
  if (value.length > MAX_RECIPIENTS) throw new BadRequestError(`${name} is too long (limit: ${MAX_RECIPIENTS} items)`);
  return [...new Set(value as number[])];
}

export function isDirectType(type: z.output<typeof scheduledTypeSchema>): boolean {
  return DIRECT_TYPES.includes(type);
}

/** Throws when the type takes another form of `to`. */
export function decodeDestination(isDirect: boolean, to: Destination) {
  if (isDirect) {
    if (!Array.isArray(to)) throw new BadRequestError('Invalid data type for recipients');
    return { isDirect, recipientIds: to };
  }
  if (Array.isArray(to)) throw new BadRequestError('Invalid data type for channel ID');
  return { isDirect, channelId: to, recipientIds: [] };
}
