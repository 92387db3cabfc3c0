import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';

/** A quota that overrides the deployment's; null: no limit. */
const OWN_QUOTA = {
  mib: z.number().nullable(),
};

/** The shape of ownQuota(). */
export const QUOTA = z.strictObject(OWN_QUOTA).nullable();

export type OwnQuota = z.infer<z.ZodObject<typeof OWN_QUOTA>>;

/** The total size of files, and the owner's own quota. */
export interface Space {
  bytes: number;
  quota: OwnQuota | null;
}

/** Stands for the whole organization instead of an account's id. */
export const ORGANIZATION = 0;

/** SQL for an own quota, null without one. */
export const ownQuota = (realmId: string, userId: string | number) =>
  `(select json_build_object('mib', q.mib) from upload_quota q where q.realm_id = ${realmId} and q.user_id = ${userId})`;

const FIND_OWN_QUOTA = statement('select mib from upload_quota where realm_id = $1 and user_id = $2', OWN_QUOTA);

export async function findOwnQuota(sql: Sql, realmId: number, userId: number): Promise<OwnQuota | null> {
  const [row] = await sql.query(FIND_OWN_QUOTA, [realmId, userId]);
  return row ?? null;
}
