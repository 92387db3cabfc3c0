import { SYSTEM_GROUP_NAMES } from '@parley/shared/access';
import { type RowOf, type Sql, statement } from '@parley/shared/db';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';
import { USER, USER_JSON } from '../accounts/users.sql';
import { joinedBy } from '../actors/actors.sql';
import { CHANNEL_JSON, STORED_CHANNEL } from '../channel-access/channels.sql';
import { GROUP_SETTING, GROUP_SETTING_JSON } from '../group-settings/group-settings.sql';
import { standingOf } from '../membership/standing.sql';

interface EditFactsKeys {
  realmId: number;
  actorId: number;
  nowMs: number;
  channelIds: readonly number[];
  authorId: number | undefined;
  withNoticeChoices: boolean;
}

const GUESTS_ONLY_IN_FIRST = `array(
    select g.id from subscription s join user_account g on g.realm_id = s.realm_id and g.id = s.user_id
    where s.realm_id = $1 and s.channel_id = $4 and s.is_active and g.role = ${ROLES.guest} and $5::bigint is not null and not exists (
      select from subscription o where o.realm_id = $1 and o.channel_id = $5 and o.user_id = g.id and o.is_active)
    order by g.id)`;

const NOTICE_SETTING = 'resolved_topic_notice_auto_read_policy';
// As the index user_settings_resolving has it.
const HAS_NOTICE_CHOICE = `(chosen.chosen @> '{"${NOTICE_SETTING}": "always"}' or chosen.chosen @> '{"${NOTICE_SETTING}": "never"}')`;
const NOTICE_CHOICES = `(
    select json_agg(json_build_object('userId', s.user_id, 'choice', chosen.chosen->>'${NOTICE_SETTING}'))
    from subscription s join user_settings chosen on chosen.realm_id = s.realm_id and chosen.user_id = s.user_id
    where $7 and s.realm_id = $1 and s.channel_id = $4 and s.is_active and ${HAS_NOTICE_CHOICE})`;

const LOAD = statement(
  `with recursive ${joinedBy('$1', '$2', '$3::bigint')}
   select ${USER_JSON} as actor, ${standingOf('u', '$1', '$3::bigint')} as standing,
     array(select joined.group_id from joined) as "groupIds",
     (select json_object_agg(g.name, g.id) from user_group g where g.realm_id = $1 and g.name = any($8::text[])) as "systemGroupIds",
     (select coalesce(json_object_agg(s.name, ${GROUP_SETTING_JSON}), '{}')
      from realm_group_setting s join user_group value on value.realm_id = s.realm_id and value.id = s.group_id
      where s.realm_id = $1) as "storedSettings",
     (select coalesce(json_agg(${CHANNEL_JSON}), '[]') from channel c
      where c.realm_id = $1 and c.id in ($4::bigint, $5::bigint)) as channels,
     array(select s.channel_id from subscription s
      where s.realm_id = $1 and s.user_id = $2 and s.channel_id in ($4, $5) and s.is_active) as "subscribedIds",
     ${GUESTS_ONLY_IN_FIRST} as "guestIds",
     (select ${USER_JSON} from user_account u where u.realm_id = $1 and u.system_bot = 'notification-bot') as "notificationBot",
     (select author.bot_owner_id from user_account author where author.realm_id = $1 and author.id = $6::bigint) as "authorOwnerId",
     ${NOTICE_CHOICES} as "noticeChoices"
   from user_account u where u.realm_id = $1 and u.id = $2`,
  {
    actor: USER,
    standing: z.number(),
    // All groups of the actor.
    groupIds: z.array(z.number()),
    systemGroupIds: z.record(z.enum(SYSTEM_GROUP_NAMES), z.number()),
    // The organization's explicit settings; others have their default.
    storedSettings: z.record(z.string(), GROUP_SETTING),
    channels: z.array(STORED_CHANNEL),
    subscribedIds: z.array(z.number()),
    // Guests who are subscribed to the first of two channels and not to the second.
    guestIds: z.array(z.number()),
    notificationBot: USER.nullable(),
    authorOwnerId: z.number().nullable(),
    noticeChoices: z.array(z.strictObject({ userId: z.number(), choice: z.enum(['always', 'never']) })).nullable(),
  },
);

export type EditFactsRow = RowOf<typeof LOAD>;

/** The facts for an edit or a deletion, besides those for reads and sends; null if the organization has no such user. */
export async function loadEditFacts(sql: Sql, keys: EditFactsKeys): Promise<EditFactsRow | null> {
  const { realmId, actorId, nowMs, channelIds, authorId, withNoticeChoices } = keys;
  const [first, second] = channelIds;
  const values = [realmId, actorId, nowMs, first, second, authorId, withNoticeChoices, SYSTEM_GROUP_NAMES];
  const [row] = await sql.query(LOAD, values);
  return row ?? null;
}
