import type { MessageEdits } from '@parley/shared/proto';

import { groupBy, realmSettingsOf } from '@parley/shared/values';

import type { Context } from '../context';
import type { Reader } from '../messages/permissions';
import { listEdits } from './edit-history.sql';
import { presentEdits } from './present-edits';

/** For each of the messages what it tells of its edits; nothing of those that were never edited. One statement. */
export async function loadEdits(
  { db }: Pick<Context, 'db'>,
  { realm }: Reader,
  messages: readonly { id: number }[],
): Promise<(messageId: number) => { edits?: MessageEdits }> {
  const ids = messages.map(({ id }) => id);
  const edits = ids.length > 0 ? await listEdits(db, realm.id, ids) : [];
  const byMessage = groupBy(edits, ({ messageId }) => messageId);
  const { message_edit_history_visibility_policy: policy } = realmSettingsOf(realm);
  return (messageId) => {
    const own = byMessage.get(messageId);
    return own ? { edits: presentEdits(own, policy) } : {};
  };
}
