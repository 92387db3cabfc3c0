import { composed, type Sql } from '@parley/shared/db';
import type { MarkdownForm } from '@parley/shared/markdown';
import { z } from 'zod';
import { renderedFrom } from '../base/rendered-from';

/** A column of texts with its HTML. The table's key has one column, or two. */
export interface RenderedColumn {
  table: string;
  realm: string;
  ids: readonly [string, string];
  text: string;
  html: string;
  form: MarkdownForm;
  /** SQL: the text's author; without one, the text may mention objects visible to all members. */
  authorId: string;
  only?: string;
}

const DESCRIPTION = { realm: 'realm_id', ids: ['id', '0'], text: 'description', html: 'rendered_description' } as const;

export const RENDERED_COLUMNS: readonly RenderedColumn[] = [
  { ...DESCRIPTION, table: 'realm', realm: 'id', form: 'blocks', authorId: 'null' },
  { ...DESCRIPTION, table: 'channel', form: 'line', authorId: 'null' },
  { ...DESCRIPTION, table: 'channel_folder', form: 'blocks', authorId: 'null' },
  {
    table: 'profile_value',
    realm: 'realm_id',
    ids: ['user_id', 'field_id'],
    text: 'value',
    html: 'rendered_value',
    form: 'blocks',
    authorId: 't.user_id',
    // NOTE: a value, not "exists", of which the planner makes a join: it would sort all later texts for each batch.
    only: `(select f.type in (1, 2) from profile_field f where f.realm_id = t.realm_id and f.id = t.field_id)`,
  },
];

const STALE_TEXT = {
  realmId: z.number(),
  authorId: z.number().nullable(),
  ids: z.tuple([z.number(), z.number()]),
  text: z.string(),
};

export type StaleText = z.infer<z.ZodObject<typeof STALE_TEXT>>;

/** Some texts whose HTML comes from another renderer, or another text: those after a text, so that each is looked at once; null: the first ones. */
export function listStaleTexts(
  sql: Sql,
  column: RenderedColumn,
  after: StaleText | null,
  limit: number,
): Promise<StaleText[]> {
  const { table, realm, ids, text, authorId, only = 'true' } = column;
  const key = [realm, ...ids].map((name) => (name === '0' ? name : `t.${name}`));
  const list = composed(
    `select t.${realm} as "realmId", ${authorId}::bigint as "authorId", t.${text} as text,
       json_build_array(${key.slice(1).join(', ')}) as ids
     from ${table} t
     where (${key.join(', ')}) > ($2, $3, $4) and t.rendered_from is distinct from ${renderedFrom(`t.${text}`)} and ${only}
     order by ${key.filter((name) => name !== '0').join(', ')} limit $1`,
    STALE_TEXT,
  );
  return sql.query(list, [limit, ...(after ? [after.realmId, ...after.ids] : [0, 0, 0])]);
}

/** Stores the HTML of unchanged texts. */
export async function storeRenderings(
  sql: Sql,
  { table, realm, ids, text, html }: RenderedColumn,
  rendered: readonly (StaleText & { html: string })[],
): Promise<void> {
  const hasIds = ids.map((id, n) => (id === '0' ? 'true' : `t.${id} = new.id_${n}`)).join(' and ');
  const store = composed(
    `update ${table} t set ${html} = new.html, rendered_from = ${renderedFrom('new.source')}
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[]) as new (realm_id, id_0, id_1, source, html)
     where t.${realm} = new.realm_id and ${hasIds} and t.${text} = new.source`,
  );
  await sql.query(store, [
    rendered.map(({ realmId }) => realmId),
    rendered.map((row) => row.ids[0]),
    rendered.map((row) => row.ids[1]),
    rendered.map((row) => row.text),
    rendered.map((row) => row.html),
  ]);
}
