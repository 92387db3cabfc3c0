import { type Audience, type DomainEvent, messageDeleted, messagesDeleted } from '@parley/shared/events';

/** What clients are told when messages are gone: some take many ids at once, others want one event for each. */
export function announcedDeletions(
  realmId: number,
  messageIds: readonly number[],
  channel: { id: number; topic: string } | undefined,
  audience: Audience,
): DomainEvent[] {
  const common = { ...(channel && { channel }), audience };
  return [
    messagesDeleted(realmId, { messageIds, ...common }),
    ...messageIds.map((messageId) => messageDeleted(realmId, { messageId, ...common })),
  ];
}
