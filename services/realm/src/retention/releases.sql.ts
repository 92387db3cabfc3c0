import { eventText } from '@parley/shared/bus';
import { statement, type Transaction } from '@parley/shared/db';
import { type ReleaseChanged, releaseChanged } from '@parley/shared/events';
import { z } from 'zod';

const LOCK = statement(
  `select case when version is not null then json_build_object('version', version, 'featureLevel', feature_level) end
     as release
   from release for update`,
  { release: z.strictObject({ version: z.string(), featureLevel: z.number() }).nullable() },
);

/** The version that clients' behaviour depends on. */
interface Release {
  version: string;
  featureLevel: number;
}

/** Serializes reports until the transaction ends. Null: none stored yet. */
export async function lockRelease(tx: Transaction): Promise<Release | null> {
  const [row] = await tx.query(LOCK);
  return row?.release ?? null;
}

const STORE = statement('update release set version = $1, feature_level = $2, noted_at = to_timestamp($3 / 1000.0)');

export async function storeRelease(
  tx: Transaction,
  { version, featureLevel }: Release,
  notedAtMs: number,
): Promise<void> {
  await tx.query(STORE, [version, featureLevel, notedAtMs]);
}

const ANNOUNCE = statement(
  'insert into outbox (realm_id, kind, payload) select id, $1, $2 from realm where not is_deactivated order by id',
);

/** In every active organization, in one statement. */
export async function announceRelease(tx: Transaction, payload: ReleaseChanged): Promise<void> {
  await tx.query(ANNOUNCE, [releaseChanged.kind, eventText({ payload })]);
  tx.hasAnnounced = true;
}
