import { composed, type Sql } from '@parley/shared/db';
import { z } from 'zod';
import { renderedFrom } from '../base/rendered-from';

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

/** The shape of a value in VALUES. */
export const PROFILE_VALUE = z.strictObject({
  fieldId: z.number(),
  type: z.number(),
  value: z.string(),
  rendered: z.string().nullable(),
});

/** A profile: values with the types of their fields, which decide about rendering. */
const PROFILE = { userId: z.number(), values: z.array(PROFILE_VALUE) };
export type ProfileRow = z.infer<z.ZodObject<typeof PROFILE>>;

// Not prepared: the plan depends on whether there are ids, and how many.
// NOTE: a row for each user: one list of all would hold the event loop while it is parsed.
const LIST = composed(
  `select v.user_id as "userId", ${VALUES} as values
   from profile_value v join profile_field f on f.realm_id = v.realm_id and f.id = v.field_id
   where v.realm_id = $1 and ($2::bigint[] is null or v.user_id = any($2))
   group by v.user_id order by v.user_id`,
  PROFILE,
);

/** Non-empty profiles of the users, or of all (null). */
export function listProfiles(sql: Sql, realmId: number, userIds: readonly number[] | null): Promise<ProfileRow[]> {
  return sql.query(LIST, [realmId, userIds]);
}
