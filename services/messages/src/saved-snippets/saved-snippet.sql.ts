import { type Sql, statement, type Transaction } from '@parley/shared/db';
import type { SavedSnippet } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';

type Owner = Pick<Caller, 'realmId' | 'userId'>;

const COLUMNS = `id, title, content, created_at as "createdAtMs"`;
const SNIPPET = { id: z.number(), title: z.string(), content: z.string(), createdAtMs: z.number() };

const LIST_SNIPPETS = statement(
  `select ${COLUMNS} from saved_snippet where realm_id = $1 and user_id = $2 order by id`,
  SNIPPET,
);

/** The shape of savedSnippetsOf(). */
export const SAVED_SNIPPETS = z.array(z.strictObject(SNIPPET));

/** SQL for the owner's snippets as a list in JSON, oldest first. The arguments are SQL. */
export function savedSnippetsOf(realmId: string, userId: string): string {
  return `(select coalesce(json_agg(json_build_object('id', s.id, 'title', s.title, 'content', s.content,
      'createdAtMs', (extract(epoch from s.created_at) * 1000)::bigint) order by s.id), '[]')
    from saved_snippet s where s.realm_id = ${realmId} and s.user_id = ${userId})`;
}

/** The owner's snippets, oldest first. */
export function listSavedSnippets(sql: Sql, { realmId, userId }: Owner): Promise<SavedSnippet[]> {
  return sql.query(LIST_SNIPPETS, [realmId, userId]);
}

const LOCK_SNIPPET = statement(
  `select ${COLUMNS} from saved_snippet where realm_id = $1 and user_id = $2 and id = $3 for update`,
  SNIPPET,
);

/** Null if the owner has no such snippet. Locks it until the transaction ends. */
export async function lockSavedSnippet(
  tx: Transaction,
  { realmId, userId }: Owner,
  snippetId: number,
): Promise<SavedSnippet | null> {
  const [row] = await tx.query(LOCK_SNIPPET, [realmId, userId, snippetId]);
  return row ?? null;
}
