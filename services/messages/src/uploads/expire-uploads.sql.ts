import type { Sql } from '@parley/shared/db';
import type { UploadPlace } from '@parley/shared/proto';

/** Until then the bytes of what has expired ought to be deleted; if they are not, it is given out again. */
const RETRY = "interval '1 hour'";

export const DOOM_EXPIRED = `update attachment a
  set state = case a.state when 'stored' then 'doomed' when 'incoming' then 'abandoned' else a.state end,
    expires_at = to_timestamp($1 / 1000.0) + ${RETRY}
  from (
    select realm_id, id from attachment where expires_at < to_timestamp($1 / 1000.0) order by expires_at limit $2
    for update skip locked
  ) expired
  where a.realm_id = expired.realm_id and a.id = expired.id
  returning a.realm_id as "realmId", a.path_id as "pathId"`;

/** Files whose time is up: nobody can get them any more, but their bytes may still be there. */
export function doomExpired(sql: Sql, nowMs: number, limit: number): Promise<UploadPlace[]> {
  return sql.query(DOOM_EXPIRED, [nowMs, limit]);
}

export interface GoneUpload {
  realmId: number;
  id: number;
  ownerId: number;
  size: number;
  /** It had come in completely. */
  wasStored: boolean;
}

/** Deletes the rows of files whose bytes are gone; those that can still be had stay. */
export function deleteGone(sql: Sql, places: readonly UploadPlace[]): Promise<GoneUpload[]> {
  return sql.query(
    `delete from attachment a using unnest($1::bigint[], $2::text[]) as gone (realm_id, path_id)
     where a.realm_id = gone.realm_id and a.path_id = gone.path_id and a.state <> 'stored'
     returning a.realm_id as "realmId", a.id, a.owner_id as "ownerId", a.size, a.state = 'doomed' as "wasStored"`,
    [places.map(({ realmId }) => realmId), places.map(({ pathId }) => pathId)],
  );
}
