import { type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { renderedFrom } from '../base/rendered-from';

const STORE = statement(
  `insert into profile_value as v (realm_id, user_id, field_id, value, rendered_value, rendered_from)
   select $1, $2, new.field_id, new.value, new.html, case when new.html is not null then ${renderedFrom('new.value')} end
   from unnest($3::bigint[], $4::text[], $5::text[]) as new (field_id, value, html)
   on conflict (realm_id, user_id, field_id) do update set value = excluded.value,
     rendered_value = excluded.rendered_value, rendered_from = excluded.rendered_from where v.value <> excluded.value
   returning v.field_id as "fieldId"`,
  { fieldId: z.number() },
);

interface StoredValue {
  fieldId: number;
  value: string;
  /** Absent: not Markdown. */
  renderedValue?: string;
}

/** Stores values of a profile; returns the ids of the fields that changed. */
export async function storeProfileValues(
  sql: Sql,
  realmId: number,
  userId: number,
  values: readonly StoredValue[],
): Promise<number[]> {
  const rows = await sql.query(STORE, [
    realmId,
    userId,
    values.map(({ fieldId }) => fieldId),
    values.map(({ value }) => value),
    values.map(({ renderedValue }) => renderedValue ?? null),
  ]);
  return rows.map(({ fieldId }) => fieldId);
}

const DELETE = statement(
  `delete from profile_value where realm_id = $1 and user_id = $2 and field_id = any($3)
   returning field_id as "fieldId"`,
  { fieldId: z.number() },
);

/** Removes values of a profile; returns the ids of the fields that had one. */
export async function deleteProfileValues(
  sql: Sql,
  realmId: number,
  userId: number,
  fieldIds: readonly number[],
): Promise<number[]> {
  const rows = await sql.query(DELETE, [realmId, userId, fieldIds]);
  return rows.map(({ fieldId }) => fieldId);
}

const DELETE_AMONG = statement(
  `delete from profile_value where realm_id = $1 and field_id = $2 and value = any($3) returning user_id as "userId"`,
  { userId: z.number() },
);

/** Removes the given values of a field from all profiles; returns the users. */
export async function deleteValuesAmong(
  sql: Sql,
  realmId: number,
  fieldId: number,
  values: readonly string[],
): Promise<number[]> {
  const rows = await sql.query(DELETE_AMONG, [realmId, fieldId, values]);
  return rows.map(({ userId }) => userId);
}
