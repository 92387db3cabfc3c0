import { onlyRow, type Sql, statement, type Transaction } from '@parley/shared/db';
import type { SavedSnippet } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';

type Owner = Pick<Caller, 'realmId' | 'userId'>;

const COLUMNS = `id, title, content, (extract(epoch from created_at) * 1000)::bigint as "createdAtMs"`;

const LIST = statement(`select ${COLUMNS} from saved_snippet where realm_id = $1 and user_id = $2 order by id`, {
  id: z.number(),
  title: z.string(),
  content: z.string(),
  createdAtMs: z.number(),
});

/** Of the owner, oldest first. */
export function listSavedSnippets(sql: Sql, { realmId, userId }: Owner): Promise<SavedSnippet[]> {
  return sql.query(LIST, [realmId, userId]);
}

const LOCK_SAVED_SNIPPET = statement(
  `select ${COLUMNS} from saved_snippet where realm_id = $1 and user_id = $2 and id = $3 for update`,
  { id: z.number(), title: z.string(), content: z.string(), createdAtMs: z.number() },
);

/** Null when the owner has no such snippet. Nobody else changes it until the transaction ends. */
export async function lockSavedSnippet(
  tx: Transaction,
  { realmId, userId }: Owner,
  snippetId: number,
): Promise<SavedSnippet | null> {
  const [row] = await tx.query(LOCK_SAVED_SNIPPET, [realmId, userId, snippetId]);
  return row ?? null;
}

const COUNT_SAVED_SNIPPETS = statement(
  'select count(*) as count from saved_snippet where realm_id = $1 and user_id = $2',
  { count: z.number() },
);

export async function countSavedSnippets(sql: Sql, { realmId, userId }: Owner): Promise<number> {
  const [row] = await sql.query(COUNT_SAVED_SNIPPETS, [realmId, userId]);
  return row?.count ?? 0;
}

const INSERT_SAVED_SNIPPET = statement(
  `insert into saved_snippet (realm_id, user_id, title, content, created_at)
   values ($1, $2, $3, $4, to_timestamp($5 / 1000.0)) returning id`,
  { id: z.number() },
);

/** Answers its id. */
export async function insertSavedSnippet(
  tx: Transaction,
  { realmId, userId }: Owner,
  { title, content, createdAtMs }: Omit<SavedSnippet, 'id'>,
): Promise<number> {
  return onlyRow(await tx.query(INSERT_SAVED_SNIPPET, [realmId, userId, title, content, createdAtMs])).id;
}

const STORE_SAVED_SNIPPET = statement(
  'update saved_snippet set title = $4, content = $5 where realm_id = $1 and user_id = $2 and id = $3',
);

export async function storeSavedSnippet(tx: Transaction, { realmId, userId }: Owner, snippet: SavedSnippet) {
  await tx.query(STORE_SAVED_SNIPPET, [realmId, userId, snippet.id, snippet.title, snippet.content]);
}

const DELETE_SAVED_SNIPPET_ROW = statement(
  'delete from saved_snippet where realm_id = $1 and user_id = $2 and id = $3 returning id',
  { id: z.number() },
);

/** False when there was none. */
export async function deleteSavedSnippetRow(
  tx: Transaction,
  { realmId, userId }: Owner,
  snippetId: number,
): Promise<boolean> {
  const rows = await tx.query(DELETE_SAVED_SNIPPET_ROW, [realmId, userId, snippetId]);
  return rows.length > 0;
}
