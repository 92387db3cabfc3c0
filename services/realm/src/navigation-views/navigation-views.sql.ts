import type { Sql } from '@parley/shared/db';
import type { NavigationView } from '@parley/shared/proto';

/** SQL for a NavigationView as JSON, from a row of `navigation_view` called `v`. */
export const VIEW_JSON = `json_strip_nulls(json_build_object('fragment', v.fragment, 'isPinned', v.is_pinned, 'name', v.name))`;

/** The user's views, in the order in which they were added. */
export async function listNavigationViews(sql: Sql, realmId: number, userId: number): Promise<NavigationView[]> {
  const rows = await sql.query<{ view: NavigationView }>(
    `select ${VIEW_JSON} as view from navigation_view v where v.realm_id = $1 and v.user_id = $2 order by v.position`,
    [realmId, userId],
  );
  return rows.map(({ view }) => view);
}

interface Owner {
  realmId: number;
  userId: number;
}

export async function insertNavigationView(sql: Sql, { realmId, userId }: Owner, view: NavigationView): Promise<void> {
  await sql.query(
    'insert into navigation_view (realm_id, user_id, fragment, is_pinned, name) values ($1, $2, $3, $4, $5)',
    [realmId, userId, view.fragment, view.isPinned, view.name ?? null],
  );
}

/** Stores a view's name and whether it is pinned. */
export async function storeNavigationView(sql: Sql, { realmId, userId }: Owner, view: NavigationView): Promise<void> {
  await sql.query(
    'update navigation_view set is_pinned = $4, name = $5 where realm_id = $1 and user_id = $2 and fragment = $3',
    [realmId, userId, view.fragment, view.isPinned, view.name ?? null],
  );
}

/** False when there was none. */
export async function deleteNavigationView(sql: Sql, { realmId, userId }: Owner, fragment: string): Promise<boolean> {
  const rows = await sql.query(
    'delete from navigation_view where realm_id = $1 and user_id = $2 and fragment = $3 returning 1',
    [realmId, userId, fragment],
  );
  return rows.length > 0;
}
