import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { possibleIds } from '../possible-values';
import { type DefaultCandidate, lockDefaultCandidate } from './default-channels.sql';

/** The channel, held against changes. Administrators know of every channel, so it need only exist. */
export async function holdChannel(tx: Transaction, realmId: number, channelId: number): Promise<DefaultCandidate> {
  const [id] = possibleIds([channelId]);
  const channel = id === undefined ? null : await lockDefaultCandidate(tx, realmId, id);
  if (channel === null) throw new BadRequestError('Invalid channel ID');
  return channel;
}
