import { BadRequestError } from '@parley/shared/errors';
import type {
  DigestRealms,
  DigestRecipients,
  ListDigestRecipientsRequest,
  ListNewChannelsRequest,
  NewChannels,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/actor';
import { seenBy } from '../channel-access/access-channel';
import { loadChannels } from '../channel-access/channels.sql';
import { hasContentAccess } from '../channel-access/permissions';
import type { Context } from '../context';
import { listNewChannelIds, loadDigestRealms, loadDigestRecipients } from './digests.sql';

/** Open organizations that send digests. */
export async function listDigestRealms({ db }: Context): Promise<DigestRealms> {
  return { realms: await loadDigestRealms(db) };
}

const MAX_PEOPLE = 1_000;

/** A slice of the people to whom an organization's digest is sent. */
export async function listDigestRecipients(
  { db }: Context,
  request: ListDigestRecipientsRequest,
): Promise<DigestRecipients> {
  if (request.limit > MAX_PEOPLE) throw new BadRequestError(`Too many people in one call (limit: ${MAX_PEOPLE})`);
  return { recipients: await loadDigestRecipients(db, request) };
}

const LOOKED_AT = 200;
const MAX_CHANNELS = 20;

/** Channels made since a time whose messages the caller may read, and to which they are not subscribed. */
export async function listNewChannels(
  { db, clock }: Context,
  caller: Caller,
  { sinceMs }: ListNewChannelsRequest,
): Promise<NewChannels> {
  const ids = await listNewChannelIds(db, caller.realmId, { sinceMs, limit: LOOKED_AT });
  if (ids.length === 0) return { channels: [] };
  const actor = await loadActor(db, caller, clock.now());
  const seen = await seenBy(db, actor, await loadChannels(db, caller.realmId, ids));
  const open = seen.filter(({ channel, viewer }) => !viewer.isSubscribed && hasContentAccess(channel, viewer));
  const newest = open.map(({ channel: { id, name } }) => ({ id, name })).sort((a, b) => b.id - a.id);
  return { channels: newest.slice(0, MAX_CHANNELS) };
}
