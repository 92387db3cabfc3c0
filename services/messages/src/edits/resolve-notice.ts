import type { Transaction } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import type { Facts } from './edit-facts';
import { nameOf } from './move-notices';
import { findNewestOfTopic } from './resolve-notice.sql';
import type { Toggle } from './resolved-topic';

/** Who changes their mind this fast leaves no traces. */
const GRACE_MS = 60_000;

export function toggleText(toggle: Toggle, actor: User): string {
  return `${nameOf(actor)} has marked this topic as ${toggle}.`;
}

/** The notice of the opposite that a topic ends with, when it is so young that it is to go instead of being answered; or null. */
export async function findUndoneNotice(
  tx: Transaction,
  facts: Facts,
  conversationId: number,
  toggle: Toggle,
  nowMs: number,
): Promise<number | null> {
  const newest = await findNewestOfTopic(tx, facts.send.realm.id, conversationId);
  if (newest === null || newest.senderId !== facts.notificationBot?.id || nowMs - newest.sentAtMs > GRACE_MS)
    return null;
  const opposite = toggle === 'resolved' ? 'unresolved' : 'resolved';
  return newest.content.endsWith(` has marked this topic as ${opposite}.`) ? newest.id : null;
}
