import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { SavedSnippet } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';

type Owner = Pick<Caller, 'realmId' | 'userId'>;

const COLUMNS = `id, title, content, (extract(epoch from created_at) * 1000)::bigint as "createdAtMs"`;

const LIST = statement(
  'list-saved-snippets',
  `select ${COLUMNS} from saved_snippet where realm_id = $1 and user_id = $2 order by id`,
);

/** Of the owner, oldest first. */
export function listSavedSnippets(sql: Sql, { realmId, userId }: Owner): Promise<SavedSnippet[]> {
  return sql.query(LIST, [realmId, userId]);
}

/** Null when the owner has no such snippet. Nobody else changes it until the transaction ends. */
export async function lockSavedSnippet(
  tx: Transaction,
  { realmId, userId }: Owner,
  snippetId: number,
): Promise<SavedSnippet | null> {
  const [row] = await tx.query<SavedSnippet>(
    `select ${COLUMNS} from saved_snippet where realm_id = $1 and user_id = $2 and id = $3 for update`,
    [realmId, userId, snippetId],
  );
  return row ?? null;
}

export async function countSavedSnippets(sql: Sql, { realmId, userId }: Owner): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    'select count(*) as count from saved_snippet where realm_id = $1 and user_id = $2',
    [realmId, userId],
  );
  return row?.count ?? 0;
}

/** Answers its id. */
export async function insertSavedSnippet(
  tx: Transaction,
  { realmId, userId }: Owner,
  { title, content, createdAtMs }: Omit<SavedSnippet, 'id'>,
): Promise<number> {
  const [row] = await tx.query<{ id: number }>(
    `insert into saved_snippet (realm_id, user_id, title, content, created_at)
     values ($1, $2, $3, $4, to_timestamp($5 / 1000.0)) returning id`,
    [realmId, userId, title, content, createdAtMs],
  );
  return (row as { id: number }).id;
}

export async function storeSavedSnippet(tx: Transaction, { realmId, userId }: Owner, snippet: SavedSnippet) {
  await tx.query('update saved_snippet set title = $4, content = $5 where realm_id = $1 and user_id = $2 and id = $3', [
    realmId,
    userId,
    snippet.id,
    snippet.title,
    snippet.content,
  ]);
}

/** False when there was none. */
export async function deleteSavedSnippetRow(
  tx: Transaction,
  { realmId, userId }: Owner,
  snippetId: number,
): Promise<boolean> {
  const rows = await tx.query(
    'delete from saved_snippet where realm_id = $1 and user_id = $2 and id = $3 returning 1',
    [realmId, userId, snippetId],
  );
  return rows.length > 0;
}
