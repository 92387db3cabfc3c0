import { announce } from '@parley/shared/bus';
import { flagsChanged } from '@parley/shared/events';
import type { Context } from '../context';
import { setPersonalFlag } from '../read-state/personal-flags.sql';

/** A notice that is kept among what its receiver has starred. */
export interface NoticeStar {
  realmId: number;
  userId: number;
  messageId: number;
}

/** Stars notices in the name of those who got them. Done twice it comes to the same. */
export async function starNotices({ db }: Context, stars: readonly (NoticeStar | null)[]): Promise<void> {
  const meant = stars.filter((star) => star !== null);
  if (meant.length === 0) return;
  await db.transaction(async (tx) => {
    const starred: NoticeStar[] = [];
    for (const star of meant) {
      const { realmId, userId, messageId } = star;
      const ids = await setPersonalFlag(tx, realmId, userId, 'starred', [{ id: messageId, isHistorical: false }]);
      if (ids.length > 0) starred.push(star);
    }
    const change = { op: 'add', flag: 'starred', isAll: false } as const;
    await announce(
      tx,
      ...starred.map(({ realmId, userId, messageId }) =>
        flagsChanged(realmId, { userId, ...change, messageIds: [messageId] }),
      ),
    );
  });
}
