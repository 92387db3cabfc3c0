import { eventText } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type ReleaseChanged, releaseChanged } from '@parley/shared/events';

/** What the clients' behaviour depends on. */
interface Release {
  version: string;
  featureLevel: number;
}

/** Nobody else notes one until the transaction ends. Null: none was noted yet. */
export async function lockRelease(tx: Transaction): Promise<Release | null> {
  const [row] = await tx.query<{ release: Release | null }>(
    `select case when version is not null then json_build_object('version', version, 'featureLevel', feature_level) end
       as release
     from release for update`,
  );
  return row?.release ?? null;
}

export async function storeRelease(
  tx: Transaction,
  { version, featureLevel }: Release,
  notedAtMs: number,
): Promise<void> {
  await tx.query('update release set version = $1, feature_level = $2, noted_at = to_timestamp($3 / 1000.0)', [
    version,
    featureLevel,
    notedAtMs,
  ]);
}

/** In every organization that is open: one statement, however many there are. */
export async function announceRelease(tx: Transaction, payload: ReleaseChanged): Promise<void> {
  await tx.query(
    'insert into outbox (realm_id, kind, payload) select id, $1, $2 from realm where not is_deactivated order by id',
    [releaseChanged.kind, eventText({ payload })],
  );
  tx.hasAnnounced = true;
}
