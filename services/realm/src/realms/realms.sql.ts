import type { Sql } from '@parley/shared/db';
import type { Organization } from '@parley/shared/proto';
import type { PrismaClient } from '../generated/prisma/client';
import { REALM_JSON } from './realm-json.sql';

/** The organization; null when the subdomain has none. */
export async function findRealmBySubdomain(prisma: PrismaClient, subdomain: string): Promise<Organization | null> {
  const hidden = { announcementChannelId: true, waitingPeriodThreshold: true };
  const realm = await prisma.realm.findUnique({ where: { subdomain }, omit: hidden });
  if (realm === null) return null;
  const { createdAt, ...shown } = realm;
  return { ...shown, id: Number(realm.id), createdAtMs: createdAt.getTime() };
}

export async function findRealm(sql: Sql, realmId: number): Promise<Organization | null> {
  const [row] = await sql.query<{ realm: Organization }>(`select ${REALM_JSON} as realm from realm r where r.id = $1`, [
    realmId,
  ]);
  return row?.realm ?? null;
}

export const SUBDOMAIN_IS_UNIQUE = 'realm_subdomain_is_unique';

/** Makes an organization and returns its id; violates SUBDOMAIN_IS_UNIQUE when the subdomain is taken. */
export async function insertRealm(
  sql: Sql,
  realm: { subdomain: string; name: string; createdAtMs: number },
): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    'insert into realm (subdomain, name, created_at) values ($1, $2, to_timestamp($3 / 1000.0)) returning id',
    [realm.subdomain, realm.name, realm.createdAtMs],
  );
  return (row as { id: number }).id;
}

/** Says where new channels are announced. */
export async function setAnnouncementChannel(sql: Sql, realmId: number, channelId: number): Promise<void> {
  await sql.query('update realm set announcement_channel_id = $2 where id = $1', [realmId, channelId]);
}
