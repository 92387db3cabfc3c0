import type { Transaction } from '@parley/shared/db';
import { listEntriesAfter } from './audit.sql';
import { BEGINNING, type Link, nextLink } from './chain';

const PAGE = 1_000;

/**
 * As far as the entries of an organization follow one another, and why they do no further. The last one is that of `ownerId`: of the
 * organization itself, unless it is being imported.
 */
export async function followChain(
  tx: Transaction,
  realmId: number,
  ownerId: number = realmId,
): Promise<{ end: Link; fault: string | null }> {
  let end: Link = { seq: 0, hash: BEGINNING, realmId: null };
  for (;;) {
    const rows = await listEntriesAfter(tx, realmId, end.seq, PAGE);
    for (const row of rows) {
      const next = nextLink(end, row);
      if (typeof next === 'string') return { end, fault: next };
      end = next;
    }
    if (rows.length < PAGE) break;
  }
  const isOwn = end.realmId === null || end.realmId === ownerId;
  return { end, fault: isOwn ? null : `entry ${end.seq} belongs elsewhere` };
}
