import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { messageShape, type ProfileField } from '@parley/shared/proto';
import { z } from 'zod';
import type { FieldDefinition } from './field-definition';

/** SQL: an organization's custom profile fields as a JSON array, in their order. The argument is SQL. */
export function profileFieldsOf(realmId: string): string {
  return `(select coalesce(json_agg(json_build_object('id', f.id, 'type', f.type, 'order', f.position, 'name', f.name,
      'hint', f.hint, 'fieldData', f.field_data, 'isInSummary', f.is_in_summary, 'isRequired', f.is_required,
      'isEditableByUser', f.is_editable_by_user) order by f.position, f.id), '[]')
    from profile_field f where f.realm_id = ${realmId})`;
}

const LIST = statement(`select ${profileFieldsOf('$1')} as list`, {
  list: z.array(messageShape<ProfileField>('realm', 'ProfileField')),
});

export async function listProfileFieldsOf(sql: Sql, realmId: number): Promise<ProfileField[]> {
  return onlyRow(await sql.query(LIST, [realmId])).list;
}

const INSERT = statement(
  `insert into profile_field (realm_id, id, position, type, name, hint, field_data, is_in_summary, is_required,
     is_editable_by_user) overriding system value
   select $1, new.id, new.id, $2, $3, $4, $5, $6, $7, $8
   from nextval(pg_get_serial_sequence('profile_field', 'id')) as new (id)
   returning id`,
  { id: z.number() },
);

/** Adds a field after all others: its position is its id. */
export async function insertProfileField(sql: Sql, realmId: number, field: FieldDefinition): Promise<number> {
  const { type, name, hint, fieldData, isInSummary, isRequired, isEditableByUser } = field;
  const values = [realmId, type, name, hint, fieldData, isInSummary, isRequired, isEditableByUser];
  return onlyRow(await sql.query(INSERT, values)).id;
}

const STORE_ORDER = statement(
  `update profile_field f set position = place.n - 1
   from unnest($2::bigint[]) with ordinality as place (id, n)
   where f.realm_id = $1 and f.id = place.id`,
);

/** Stores the order of fields; unknown ids are skipped. */
export async function storeProfileFieldOrder(sql: Sql, realmId: number, orderedIds: readonly number[]): Promise<void> {
  await sql.query(STORE_ORDER, [realmId, orderedIds]);
}
