import type { ListOutsideReadersRequest, OutsideReaders } from '@parley/shared/proto';
import { groupBy } from '@parley/shared/values';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { listReadersByRight } from './channel-visibility.sql';
import { listPossibleOutsiders } from './outside-readers.sql';

/** Lists users who may read private channels without a subscription: of the given users and of former subscribers. */
export async function listOutsideReaders(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { realmId, channelIds, userIds }: ListOutsideReadersRequest,
): Promise<OutsideReaders> {
  const possible = await listPossibleOutsiders(db, realmId, possibleIds(channelIds), possibleIds(userIds));
  if (possible.length === 0) return { readers: [] };
  const scope = {
    channelIds: [...groupBy(possible, ({ channelId }) => channelId).keys()],
    userIds: [...groupBy(possible, ({ userId }) => userId).keys()],
  };
  const readerIds = await listReadersByRight(db, realmId, scope, clock.now());
  const readers = possible.filter(({ channelId, userId }) => readerIds.get(channelId)?.has(userId));
  return { readers };
}
