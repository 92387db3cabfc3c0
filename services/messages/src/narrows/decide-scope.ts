import type { NarrowTerm } from '@parley/shared/proto';
import { isVisitor } from '@parley/shared/values';
import type { Reader } from '../access/permissions';
import type { Scope } from './narrow';

/** States of topics, which do not depend on what the reader received. */
const OF_TOPICS = new Set(['resolved', 'followed', 'muted']);

/**
 * Whether a narrow searches all history that the reader may read, or received messages only. The last channel decides, unless a
 * message is followed: then its own.
 */
export function decideScope(terms: readonly NarrowTerm[], reader: Reader, followedChannelId: number | null): Scope {
  if (isVisitor(reader)) return { kind: 'history', channelIds: [...reader.channels.keys()] };
  const received: Scope = { kind: 'received' };
  if (terms.some(({ operator, text = '' }) => operator === 'is' && !OF_TOPICS.has(text))) return received;
  const channelIds = channelsNamed(terms, reader, followedChannelId);
  return channelIds.length > 0 ? { kind: 'history', channelIds } : received;
}

function channelsNamed(terms: readonly NarrowTerm[], reader: Reader, followedChannelId: number | null): number[] {
  if (followedChannelId !== null) return withHistory(reader, (channelId) => channelId === followedChannelId);
  const last = terms.findLast((term) => !term.isNegated && mayBringHistory(term, reader));
  if (last === undefined) return [];
  if (last.operator === 'channels') return publicChannels(reader);
  const name = last.text?.trim().toLowerCase();
  return withHistory(reader, (channelId, known) => channelId === last.id || known.toLowerCase() === name);
}

/** Kinds of channels other than public ones have no influence. */
function mayBringHistory({ operator, text }: NarrowTerm, { isGuest }: Reader): boolean {
  return operator === 'channel' || (operator === 'channels' && text === 'public' && isGuest !== true);
}

function publicChannels(reader: Reader): number[] {
  return [...reader.channels.values()].filter(({ isPublic }) => isPublic).map(({ channelId }) => channelId);
}

function withHistory({ channels }: Reader, isMeant: (channelId: number, name: string) => boolean): number[] {
  return [...channels.values()]
    .filter((channel) => channel.mayReadHistory && isMeant(channel.channelId, channel.name))
    .map(({ channelId }) => channelId);
}
