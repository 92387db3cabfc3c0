import { ChangedMeanwhile, type Transaction } from '@parley/shared/db';
import { type DomainEvent, flagsChanged } from '@parley/shared/events';
import type { Reader } from '../access/permissions';
import { isStarred } from '../narrows/conditions.sql';
import { EVERYTHING } from '../narrows/narrow';
import { markStarsShown } from '../read-state/personal-flags.sql';
import { type Held, holdFlagged } from '../read-state/read-state.sql';
import { findMessages } from '../search/find-messages';

/** A message of a channel that a user has starred. */
export interface KeptStar extends Held {
  /** Clients have the star. */
  isShown: boolean;
  /** Those that access to the message depends on. */
  channelIds: number[];
}

/** Hides and shows stars by what the reader may read; answers what is to be announced. */
export async function showStars(tx: Transaction, reader: Reader, stars: readonly KeptStar[]): Promise<DomainEvent[]> {
  if (stars.length === 0) return [];
  const readableIds = await findReadable(tx, reader, stars);
  const changed = stars.filter(({ id, isShown }) => readableIds.has(id) !== isShown);
  if (changed.length === 0) return [];
  if (!(await holdFlagged(tx, reader.realm.id, changed))) throw new ChangedMeanwhile();
  return [...(await mark(tx, reader, changed, false)), ...(await mark(tx, reader, changed, true))];
}

/** By the rule of the narrow is:starred. */
async function findReadable(tx: Transaction, reader: Reader, stars: readonly KeptStar[]): Promise<ReadonlySet<number>> {
  const narrow = { ...EVERYTHING, messageIds: stars.map(({ id }) => id), conditions: [isStarred(reader.userId)] };
  const all = { realmId: reader.realm.id, direction: 'after', fromId: 0, limit: stars.length } as const;
  return new Set(await findMessages({ db: tx }, { reader, narrow }, all));
}

async function mark(
  tx: Transaction,
  { realm, userId }: Reader,
  changed: readonly KeptStar[],
  isShown: boolean,
): Promise<DomainEvent[]> {
  const ids = changed.filter((star) => star.isShown !== isShown).map(({ id }) => id);
  const messageIds = ids.length > 0 ? await markStarsShown(tx, realm.id, userId, ids, isShown) : [];
  if (messageIds.length === 0) return [];
  return [
    flagsChanged(realm.id, { userId, op: isShown ? 'add' : 'remove', flag: 'starred', messageIds, isAll: false }),
  ];
}
