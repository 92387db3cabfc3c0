import { onlyRow, type Sql, statement } from '@parley/shared/db';
import { type CustomEmoji, type Linkifier, messageShape } from '@parley/shared/proto';
import { z } from 'zod';
import { isKnownTo } from '../accounts/accessible-users.sql';
import { isSeenBy } from '../channel-access/channel-visibility.sql';
import { REALM, REALM_JSON } from '../organization/realms.sql';
import { customEmojiNamed } from '../organization-lists/custom-emoji.sql';
import { linkifiersOf } from '../organization-lists/linkifiers.sql';

/** Objects that texts mention; keys are lower-cased names. */
export interface RenderingKeys {
  userIds: number[];
  userKeys: string[];
  groupKeys: string[];
  channelKeys: string[];
  emojiNames: string[];
}

const MARKDOWN_USER = `json_build_object('id', u.id, 'fullName', u.full_name, 'isActive', u.is_active)`;
const IS_KNOWN = `($2::bigint is null or ${isKnownTo('r.id', '$2::bigint')})`;
const IS_OPEN_TO_AUTHOR = `case when $2::bigint is null then not c.is_private
  else ${isSeenBy('r.id', '$2::bigint', '$8::bigint')} end`;

/** The shape of MARKDOWN_USER. */
const MENTIONED_USER = z.strictObject({ id: z.number(), fullName: z.string(), isActive: z.boolean() });

const FACTS = {
  realm: REALM,
  linkifiers: z.array(messageShape<Linkifier>('realm', 'Linkifier')),
};

/** Omitted when the texts name nothing. */
const NAMED_FACTS = {
  usersById: z.array(MENTIONED_USER).nullable(),
  // One for each name: active ones first, then by age.
  usersByName: z.array(MENTIONED_USER).nullable(),
  groups: z
    .array(z.strictObject({ id: z.number(), name: z.string(), isSystem: z.boolean(), isActive: z.boolean() }))
    .nullable(),
  channels: z.array(z.strictObject({ id: z.number(), name: z.string() })).nullable(),
  customEmoji: z.array(messageShape<CustomEmoji>('realm', 'CustomEmoji')).nullable(),
};

export type RenderingFactsRow = z.infer<z.ZodObject<typeof FACTS>> & Partial<z.infer<z.ZodObject<typeof NAMED_FACTS>>>;

const NAMED = `,
     (select json_agg(${MARKDOWN_USER}) from user_account u
      where u.realm_id = r.id and u.id = any($3::bigint[]) and ${IS_KNOWN}) as "usersById",
     (select json_agg(namesake.json) from (
        select distinct on (u.full_name_key) ${MARKDOWN_USER} as json from user_account u
        where u.realm_id = r.id and u.full_name_key = any($4::text[]) and ${IS_KNOWN}
        order by u.full_name_key, u.is_active desc, u.system_bot is not null, u.id
      ) namesake) as "usersByName",
     (select json_agg(json_build_object('id', g.id, 'name', g.name, 'isSystem', g.is_system,
        'isActive', not g.is_deactivated))
      from user_group g where g.realm_id = r.id and g.name_key = any($5::text[])) as groups,
     (select json_agg(json_build_object('id', c.id, 'name', c.name)) from channel c
      where c.realm_id = r.id and c.name_key = any($6::text[]) and not c.is_archived
        and ${IS_OPEN_TO_AUTHOR}) as channels,
     ${customEmojiNamed('r.id', '$7::text[]')} as "customEmoji"`;

const factsOf = (more = '') =>
  `select ${REALM_JSON} as realm, ${linkifiersOf('r.id')} as linkifiers${more} from realm r where r.id = $1`;

const LOAD = statement(factsOf(), FACTS);
const LOAD_WITH_NAMED = statement(factsOf(NAMED), { ...FACTS, ...NAMED_FACTS });

/** Objects that an author's texts may mention; without an author (null), those visible to all members. */
export async function loadRenderingFacts(
  sql: Sql,
  realmId: number,
  authorId: number | null,
  keys: RenderingKeys,
  nowMs: number,
): Promise<RenderingFactsRow> {
  const { userIds, userKeys, groupKeys, channelKeys, emojiNames } = keys;
  const lists = [userIds, userKeys, groupKeys, channelKeys, emojiNames];
  if (lists.every((list) => list.length === 0)) return onlyRow(await sql.query(LOAD, [realmId]));
  return onlyRow(await sql.query(LOAD_WITH_NAMED, [realmId, authorId, ...lists, nowMs]));
}
