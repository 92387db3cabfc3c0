import { ChangedMeanwhile, type Transaction } from '@parley/shared/db';
import { type DomainEvent, flagsChanged } from '@parley/shared/events';
import { type ChannelReader, isAmongReceived, type OwnPlace } from '../access/permissions';
import { markStarsShown, type StarShown } from '../read-state/personal-flags.sql';
import { type FlaggedMessage, lockFlagged } from '../read-state/read-state.sql';

/** A message of a channel that a user has starred. */
interface KeptStar extends FlaggedMessage, OwnPlace {
  channelId: number;
  /** Clients have the star. */
  isShown: boolean;
}

interface StarsOfReader {
  reader: ChannelReader;
  stars: readonly KeptStar[];
}

/** Hides and shows stars according to the readers' access, like the narrow is:starred; returns the events to announce. */
export async function showStars(
  tx: Transaction,
  realmId: number,
  readers: readonly StarsOfReader[],
): Promise<DomainEvent[]> {
  const changed = readers.flatMap(({ reader, stars }) =>
    stars
      .filter((star) => isAmongReceived(star, reader) !== star.isShown)
      .map((star) => ({ ...star, userId: reader.userId })),
  );
  if (changed.length === 0) return [];
  const messages = new Map(changed.map((star) => [star.id, star]));
  if (!(await lockFlagged(tx, realmId, [...messages.values()]))) throw new ChangedMeanwhile();
  const wanted = changed.map(({ userId, id, isShown }) => ({ userId, messageId: id, isShown: !isShown }));
  return starEvents(realmId, await markStarsShown(tx, realmId, wanted));
}

/** One event for each user with hidden stars, and one for each with shown stars. */
function starEvents(realmId: number, marked: readonly StarShown[]): DomainEvent[] {
  const groups = new Map<string, StarShown & { messageIds: number[] }>();
  for (const star of marked) {
    const key = `${star.userId} ${star.isShown}`;
    const group = groups.get(key) ?? { ...star, messageIds: [] };
    group.messageIds.push(star.messageId);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ userId, isShown, messageIds }) =>
    flagsChanged(realmId, { userId, op: isShown ? 'add' : 'remove', flag: 'starred', messageIds, isAll: false }),
  );
}
