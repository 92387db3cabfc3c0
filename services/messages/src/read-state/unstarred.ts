import { type DomainEvent, flagsChangedFor } from '@parley/shared/events';

/** What is told when stars are gone with their messages, to those whom nothing else that happened to these is told. */
export function unstarred(realmId: number, stars: readonly { userId: number; messageId: number }[]): DomainEvent[] {
  if (stars.length === 0) return [];
  const userIds = [...new Set(stars.map(({ userId }) => userId))];
  const messageIds = [...new Set(stars.map(({ messageId }) => messageId))].sort((a, b) => a - b);
  return [flagsChangedFor(realmId, { to: 'users', userIds }, { op: 'remove', flag: 'starred', messageIds })];
}
