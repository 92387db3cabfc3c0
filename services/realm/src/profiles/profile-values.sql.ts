import { composed, onlyRow, type Sql, statement } from '@parley/shared/db';
import { z } from 'zod';
import { renderedFrom } from '../rendered-texts/stale-texts.sql';

/** The values of a profile, from rows of `profile_value` called `v` and of `profile_field` called `f`. */
const VALUES = `json_agg(json_build_object('fieldId', v.field_id, 'type', f.type, 'value', v.value,
          'rendered', case when v.rendered_from = ${renderedFrom('v.value')} then v.rendered_value end)
        order by f.position, f.id)`;

/** SQL: the values of one user's profile as a JSON array; null: the profile is empty. The arguments are SQL. */
export function profileOf(realmId: string, userId: string): string {
  return `(select ${VALUES} from profile_value v
    join profile_field f on f.realm_id = v.realm_id and f.id = v.field_id
    where v.realm_id = ${realmId} and v.user_id = ${userId})`;
}

/**
 * SQL: the organization's non-empty profiles as a JSON array, by user. The arguments are SQL; `userIds` is an array, or null for all
 * users.
 */
export function profilesOf(realmId: string, userIds: string): string {
  return `(select coalesce(json_agg(json_build_object('userId', profile.user_id, 'values', profile.values)), '[]')
    from (
      select v.user_id, ${VALUES} as values
      from profile_value v join profile_field f on f.realm_id = v.realm_id and f.id = v.field_id
      where v.realm_id = ${realmId} and (${userIds}::bigint[] is null or v.user_id = any(${userIds}))
      group by v.user_id order by v.user_id
    ) profile)`;
}

/** The shape of a value in VALUES. */
export const PROFILE_VALUE = z.strictObject({
  fieldId: z.number(),
  type: z.number(),
  value: z.string(),
  rendered: z.string().nullable(),
});

/** The rows of profilesOf(): values with the types of their fields, which decide about rendering. */
export const PROFILE = z.strictObject({ userId: z.number(), values: z.array(PROFILE_VALUE) });
export type ProfileRow = z.infer<typeof PROFILE>;

// Not prepared: the plan depends on whether there are ids, and how many.
const LIST = composed(`select ${profilesOf('$1', '$2')} as list`, { list: z.array(PROFILE) });

/** Non-empty profiles of the users, or of all (null). */
export async function listProfiles(
  sql: Sql,
  realmId: number,
  userIds: readonly number[] | null,
): Promise<ProfileRow[]> {
  return onlyRow(await sql.query(LIST, [realmId, userIds])).list;
}

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
