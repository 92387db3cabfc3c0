import type { NarrowTerm } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { VISITOR_ID } from '@parley/shared/values';
import { listForeignChannels } from './foreign-channels.sql';
import type { Reading } from './get-client-state';
import { loadReader } from './load-reader';
import type { Reader } from './permissions';

/** Terms that lead to no channel which the reader was never in. Those that name channels by a word may mean any, and `with` follows. */
const OF_RECEIVED = new Set([
  'topic',
  'dm',
  'dm-including',
  'group-pm-with',
  'sender',
  'search',
  'has',
  'is',
  'mentions',
  'near',
]);

/** A reader of what a narrow leaves: realm is asked about the channels that this may be in, and `alsoIds`, of the thousands that there are. */
export async function loadNarrowReader(
  ctx: Reading,
  caller: Caller,
  terms: readonly NarrowTerm[],
  alsoIds: readonly number[] = [],
): Promise<Reader> {
  const isOfFew = terms.every(
    ({ operator, id }) => OF_RECEIVED.has(operator) || (operator === 'channel' && id !== undefined),
  );
  if (!isOfFew || caller.userId === VISITOR_ID) return loadReader(ctx, caller);
  const named = terms.flatMap(({ operator, id }) => (operator === 'channel' && id !== undefined ? [id] : []));
  const isInNamed = terms.some(({ operator, isNegated }) => operator === 'channel' && !isNegated);
  const foreign = isInNamed ? [] : await listForeignChannels(ctx.db, caller.realmId, caller.userId);
  return loadReader(ctx, caller, { ids: [...new Set([...named, ...foreign, ...alsoIds])], withOwn: true });
}
