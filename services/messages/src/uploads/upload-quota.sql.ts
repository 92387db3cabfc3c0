import type { Sql, Transaction } from '@parley/shared/db';

/** What may be taken up in place of what is set for all; null: anything. */
export interface OwnQuota {
  mib: number | null;
}

/** What files take up, and the own quota of whose they are. */
export interface Space {
  bytes: number;
  quota: OwnQuota | null;
}

/** In the place of an account's id: the whole organization. */
export const ORGANIZATION = 0;

/** SQL for an own quota, for statements that tell what is taken up. */
export const ownQuota = (realmId: string, userId: string | number) =>
  `(select json_build_object('mib', q.mib) from upload_quota q where q.realm_id = ${realmId} and q.user_id = ${userId})`;

export async function findOwnQuota(sql: Sql, realmId: number, userId: number): Promise<OwnQuota | null> {
  const [row] = await sql.query<OwnQuota>('select mib from upload_quota where realm_id = $1 and user_id = $2', [
    realmId,
    userId,
  ]);
  return row ?? null;
}

/** Null: what is set for all holds again. */
export async function putOwnQuota(tx: Transaction, realmId: number, userId: number, own: OwnQuota | null) {
  if (own === null) {
    await tx.query('delete from upload_quota where realm_id = $1 and user_id = $2', [realmId, userId]);
    return;
  }
  await tx.query(
    `insert into upload_quota (realm_id, user_id, mib) values ($1, $2, $3)
     on conflict (realm_id, user_id) do update set mib = excluded.mib`,
    [realmId, userId, own.mib],
  );
}
