import { type DomainEvent, flagsChangedFor } from '@parley/shared/events';
import { groupBy } from '@parley/shared/values';

export interface Star {
  userId: number;
  messageId: number;
}

/** What is told when stars are gone with their messages, to those whom nothing else that happened to these is told. */
export function unstarred(realmId: number, stars: readonly Star[]): DomainEvent[] {
  return starsChanged(realmId, 'remove', stars);
}

/** Stars that come or go: those who have it on the same messages share an event. */
export function starsChanged(realmId: number, op: 'add' | 'remove', stars: readonly Star[]): DomainEvent[] {
  const own = [...groupBy(stars, ({ userId }) => userId)].map(([userId, ofUser]) => ({
    userId,
    messageIds: ofUser.map(({ messageId }) => messageId).sort((a, b) => a - b),
  }));
  return [...groupBy(own, ({ messageIds }) => messageIds.join()).values()].map((alike) => {
    const userIds = alike.map(({ userId }) => userId);
    const { messageIds } = alike[0] as (typeof own)[number];
    return flagsChangedFor(realmId, { to: 'users', userIds }, { op, flag: 'starred', messageIds });
  });
}
