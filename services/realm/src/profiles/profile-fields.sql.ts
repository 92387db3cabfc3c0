import type { Sql } from '@parley/shared/db';
import type { ProfileField } from '@parley/shared/proto';
import type { FieldDefinition } from './field-definition';

/** SQL: an organization's custom profile fields as a JSON array, in their order. The argument is SQL. */
export function profileFieldsOf(realmId: string): string {
  return `(select coalesce(json_agg(json_build_object('id', f.id, 'type', f.type, 'order', f.position, 'name', f.name,
      'hint', f.hint, 'fieldData', f.field_data, 'isInSummary', f.is_in_summary, 'isRequired', f.is_required,
      'isEditableByUser', f.is_editable_by_user) order by f.position, f.id), '[]')
    from profile_field f where f.realm_id = ${realmId})`;
}

export async function listProfileFieldsOf(sql: Sql, realmId: number): Promise<ProfileField[]> {
  const [row] = await sql.query<{ list: ProfileField[] }>(`select ${profileFieldsOf('$1')} as list`, [realmId]);
  return (row as { list: ProfileField[] }).list;
}

/** Adds a field after all others: its place is its id. */
export async function insertProfileField(sql: Sql, realmId: number, field: FieldDefinition): Promise<number> {
  const [row] = await sql.query<{ id: number }>(
    `insert into profile_field (realm_id, id, position, type, name, hint, field_data, is_in_summary, is_required,
       is_editable_by_user) overriding system value
     select $1, new.id, new.id, $2, $3, $4, $5, $6, $7, $8
     from nextval(pg_get_serial_sequence('profile_field', 'id')) as new (id)
     returning id`,
    [
      realmId,
      field.type,
      field.name,
      field.hint,
      field.fieldData,
      field.isInSummary,
      field.isRequired,
      field.isEditableByUser,
    ],
  );
  return (row as { id: number }).id;
}

/** Gives a field another definition; its type stays. */
export async function storeProfileField(
  sql: Sql,
  realmId: number,
  fieldId: number,
  field: FieldDefinition,
): Promise<void> {
  await sql.query(
    `update profile_field set name = $3, hint = $4, field_data = $5, is_in_summary = $6, is_required = $7,
       is_editable_by_user = $8
     where realm_id = $1 and id = $2`,
    [
      realmId,
      fieldId,
      field.name,
      field.hint,
      field.fieldData,
      field.isInSummary,
      field.isRequired,
      field.isEditableByUser,
    ],
  );
}

/** Removes a field and everybody's values of it. */
export async function deleteProfileField(sql: Sql, realmId: number, fieldId: number): Promise<void> {
  await sql.query('delete from profile_field where realm_id = $1 and id = $2', [realmId, fieldId]);
}

/** Puts fields into the order of the ids; ids of no field of the organization are left out. */
export async function storeProfileFieldOrder(sql: Sql, realmId: number, orderedIds: readonly number[]): Promise<void> {
  await sql.query(
    `update profile_field f set position = place.n - 1
     from unnest($2::bigint[]) with ordinality as place (id, n)
     where f.realm_id = $1 and f.id = place.id`,
    [realmId, orderedIds],
  );
}
