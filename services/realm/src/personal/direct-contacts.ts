import type { ConsumedEvent } from '@parley/shared/bus';
import type { DirectConversationBegun } from '@parley/shared/events';
import { announceGuestVisibilityChange, loadGuestVisibility } from '../accounts/accessible-users';
import type { Context } from '../context';
import { insertDirectContacts } from './direct-contacts.sql';

/**
 * Stores who has exchanged direct messages, and notifies guests who see more users because of it. Called with events of one organization.
 */
export async function recordDirectContacts(
  ctx: Context,
  events: readonly ConsumedEvent<DirectConversationBegun>[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const { realmId } = first;
  const lists = events.map(({ payload }) => payload.participantIds);
  await ctx.db.transaction(async (tx) => {
    const before = await loadGuestVisibility(tx, realmId, [...new Set(lists.flat())]);
    await insertDirectContacts(tx, realmId, lists);
    await announceGuestVisibilityChange(tx, realmId, before);
  });
}
