import { z } from 'zod';
import { json } from '../../http/parameters';
import type { SubscribersShown } from '../../shared-state/shared-state';

const MAX_CHANNELS = 1_000;

/** Channels to subscribe to; the realm checks names and colours. */
export const channelsToJoin = z
  .array(z.object({ name: z.string(), description: z.string().default(''), color: z.string().default('') }))
  .max(MAX_CHANNELS);

export const channelNames = z.array(z.string()).max(MAX_CHANNELS);

export const principals = json(
  z
    .union([z.array(z.int()), z.array(z.string())])
    .default([])
    .describe('User ids or API e-mail addresses; nobody named: the caller.'),
);

/** Principals by what they are named. */
export function principalsOf(list: number[] | string[]): { principalIds: number[]; principalEmails: string[] } {
  const isById = (named: number[] | string[]): named is number[] => typeof named[0] === 'number';
  return isById(list) ? { principalIds: list, principalEmails: [] } : { principalIds: [], principalEmails: list };
}

const subscribersWanted = z.enum(['true', 'false', 'partial']).default('false');

// SPEC-GAP: which channels have part of their subscribers sent is left to the server: those with more than 1,000 of them.
export const includeSubscribers = json(
  subscribersWanted.describe(
    'Whether to list the subscribers of each channel; `partial`: of large ones some are enough.',
  ),
);

export function shownSubscribers(wanted: z.infer<typeof subscribersWanted>): SubscribersShown {
  return ({ true: 'all', false: 'none', partial: 'partial' } as const)[wanted];
}

/** A value of a subscription's property: a colour, or whether it is so. */
export const propertyValue = z.union([z.boolean(), z.string()]);

export function propertyChange(channelId: number, property: string, value: boolean | string) {
  return { channelId, property, ...(typeof value === 'boolean' ? { boolean: value } : { text: value }) };
}
