import type { Sql } from '@parley/shared/db';
import type { PrismaClient } from '../generated/prisma/client';
import type { OrganizationImageBytes } from './organization-image-file';

export async function storeRealmImage(
  sql: Sql,
  realmId: number,
  image: OrganizationImageBytes & { kind: string; uploadedAtMs: number },
): Promise<void> {
  await sql.query(
    `insert into realm_image (realm_id, kind, uploaded_at, content_type, bytes)
     values ($1, $2, to_timestamp($3 / 1000.0), $4, $5)
     on conflict (realm_id, kind) do update set
       uploaded_at = excluded.uploaded_at, content_type = excluded.content_type, bytes = excluded.bytes`,
    [realmId, image.kind, image.uploadedAtMs, image.contentType, image.bytes],
  );
}

/** False when there was none. */
export async function deleteRealmImage(sql: Sql, realmId: number, kind: string): Promise<boolean> {
  const rows = await sql.query('delete from realm_image where realm_id = $1 and kind = $2 returning 1', [
    realmId,
    kind,
  ]);
  return rows.length > 0;
}

/** Null when the organization has not uploaded any. */
export async function findRealmImage(
  prisma: PrismaClient,
  realmId: number,
  kind: string,
): Promise<{ contentType: string; bytes: Uint8Array } | null> {
  return prisma.realmImage.findUnique({
    where: { realmId_kind: { realmId, kind } },
    select: { contentType: true, bytes: true },
  });
}
