import { SYSTEM_GROUP_NAMES } from '@parley/shared/access';
import { composed, onlyRow, type RowOf, type Sql, statement } from '@parley/shared/db';
import {
  type AllowedDomain,
  type ChannelFolder,
  type CustomEmoji,
  type DefaultChannelGroup,
  type Linkifier,
  type MutedUser,
  messageShape,
  type NavigationView,
  type Playground,
  type ProfileField,
  type UserStatus,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';
import { USER_STATUS_JSON } from '../accounts/statuses.sql';
import { findingActor } from '../actors/actors.sql';
import { CHOSEN_SETTINGS } from '../base/chosen-settings';
import { MANAGES_BOTS } from '../bot-owners/bots.sql';
import { CHANNEL_JSON, STORED_CHANNEL } from '../channel-access/channels.sql';
import { channelFoldersOf } from '../channel-folders/channel-folders.sql';
import type { SystemGroupIds } from '../group-settings/complete-settings';
import { REALM_GROUP_SETTINGS, realmGroupSettingsOf } from '../group-settings/group-settings.sql';
import {
  botsVersionOf,
  LIST_VERSIONS,
  type ListsView,
  listVersionsOf,
  statusesVersionOf,
} from '../list-changes/versions.sql';
import { REALM, REALM_IMAGES, REALM_IMAGES_JSON, REALM_JSON } from '../organization/realms.sql';
import { allowedDomainsOf } from '../organization-lists/allowed-domains.sql';
import { customEmojiOf } from '../organization-lists/custom-emoji.sql';
import { defaultChannelGroupsOf } from '../organization-lists/default-channel-groups.sql';
import { defaultChannelIdsOf } from '../organization-lists/default-channels.sql';
import { linkifiersOf } from '../organization-lists/linkifiers.sql';
import { playgroundsOf } from '../organization-lists/playgrounds.sql';
import { profileFieldsOf } from '../profiles/profile-fields.sql';
import { alikeSubscriptions, PROPERTIES, SUBSCRIPTION_JSON } from '../subscriptions/subscriptions.sql';

// NOTE: lists of whole organizations are planned for each call, as organizations differ much in size.
const LIST_CHANNELS = composed(
  `select ${CHANNEL_JSON} as channel, c.is_default as "isDefault",
     coalesce(s.is_active, false) as "isSubscribed",
     case when s.user_id is not null then ${SUBSCRIPTION_JSON} end as properties
   from channel c
   left join subscription s on s.realm_id = c.realm_id and s.channel_id = c.id and s.user_id = $2
   where c.realm_id = $1 order by c.id`,
  {
    channel: STORED_CHANNEL,
    isDefault: z.boolean(),
    isSubscribed: z.boolean(),
    // The user's subscription, past or present; null: never subscribed.
    properties: PROPERTIES.nullable(),
  },
);

export type ChannelWithSubscription = RowOf<typeof LIST_CHANNELS>;

/** Every channel of the organization, by id, with the user's properties. */
export function listChannelsWithSubscription(
  sql: Sql,
  realmId: number,
  userId: number,
): Promise<ChannelWithSubscription[]> {
  return sql.query(LIST_CHANNELS, [realmId, userId]);
}

/** SQL for a NavigationView as JSON, from a row of `navigation_view` called `v`. */
const NAVIGATION_VIEW_JSON = `json_strip_nulls(json_build_object('fragment', v.fragment, 'isPinned', v.is_pinned, 'name', v.name))`;

/** Columns of the user `$2` of the organization `$1`. */
const PERSONAL_STATE = `
     coalesce((select s.chosen from user_settings s where s.realm_id = $1 and s.user_id = $2), '{}') as chosen,
     coalesce((select d.chosen from realm_user_settings_defaults d where d.realm_id = $1), '{}') as "chosenDefaults",
     coalesce((select json_agg(w.word order by w.position) from alert_word w
       where w.realm_id = $1 and w.user_id = $2), '[]') as "alertWords",
     coalesce((select json_agg(json_build_object('userId', m.muted_user_id,
         'mutedAtMs', (extract(epoch from m.muted_at) * 1000)::bigint) order by m.muted_at, m.muted_user_id)
       from muted_user m where m.realm_id = $1 and m.user_id = $2), '[]') as "mutedUsers",
     coalesce((select json_agg(${NAVIGATION_VIEW_JSON} order by v.position) from navigation_view v
       where v.realm_id = $1 and v.user_id = $2), '[]') as "navigationViews",
     coalesce((select json_agg(o.name) from onboarding_step o
       where o.realm_id = $1 and o.user_id = $2), '[]') as "completedOnboardingSteps",
     coalesce((select json_agg(c.id order by c.id) from client_device c
       where c.realm_id = $1 and c.user_id = $2), '[]') as "clientDeviceIds"`;

const PERSONAL_STATE_SHAPE = {
  chosen: CHOSEN_SETTINGS,
  chosenDefaults: CHOSEN_SETTINGS,
  alertWords: z.array(z.string()),
  mutedUsers: z.array(messageShape<MutedUser>('realm', 'MutedUser')),
  navigationViews: z.array(messageShape<NavigationView>('realm', 'NavigationView')),
  completedOnboardingSteps: z.array(z.string()),
  clientDeviceIds: z.array(z.number()),
};

export type PersonalStateRow = z.infer<z.ZodObject<typeof PERSONAL_STATE_SHAPE>>;

const LOAD_PERSONAL_STATE = statement(`select ${PERSONAL_STATE}`, PERSONAL_STATE_SHAPE);

/** The user's own settings and lists. */
export async function loadPersonalState(sql: Sql, realmId: number, userId: number): Promise<PersonalStateRow> {
  return onlyRow(await sql.query(LOAD_PERSONAL_STATE, [realmId, userId]));
}

const ALIKE_SUBSCRIPTIONS = z.strictObject({
  channelIds: z.array(z.number()),
  isSubscribed: z.boolean(),
  properties: PROPERTIES,
});

const FIND_OWN = findingActor(
  `, ${PERSONAL_STATE}, ${MANAGES_BOTS} as "managesBots", ${botsVersionOf('$1')} as "botsVersion",
     ${listVersionsOf('$3::bigint', '$4::bigint')},
     (select coalesce(json_agg(json_build_object('channelIds', s.channel_ids, 'isSubscribed', s.is_active,
        'properties', ${SUBSCRIPTION_JSON})), '[]') from ${alikeSubscriptions('$1', '$2')} s) as subscriptions`,
  {
    ...PERSONAL_STATE_SHAPE,
    managesBots: z.boolean(),
    botsVersion: z.string(),
    ...LIST_VERSIONS,
    subscriptions: z.array(ALIKE_SUBSCRIPTIONS),
  },
);

/**
 * All that is the user's own, in one statement: as an actor, settings and lists, and subscriptions; and the versions of findListVersions().
 * Null without such a user.
 */
export async function findOwn(
  sql: Sql,
  { realmId, userId }: Pick<Caller, 'realmId' | 'userId'>,
  { nowMs, presentSinceMs }: ListsView,
): Promise<RowOf<typeof FIND_OWN> | null> {
  const [row] = await sql.query(FIND_OWN, [realmId, userId, nowMs, presentSinceMs]);
  return row ?? null;
}

const LIST_STATUSES = composed(
  `select ${USER_STATUS_JSON} as status
   from (select user_id from user_status where realm_id = $1 and (status_text <> '' or emoji_name <> '')
     union select user_id from user_settings where realm_id = $1 and chosen @> '{"presence_enabled": false}') shown
   join user_account u on u.realm_id = $1 and u.id = shown.user_id and u.is_active
   left join user_status t on t.realm_id = $1 and t.user_id = u.id
   left join user_settings s on s.realm_id = $1 and s.user_id = u.id
   order by u.id`,
  { status: messageShape<UserStatus>('realm', 'UserStatus') },
);

/** The statuses of active people who have one or are away, by id. */
export async function listStatuses(sql: Sql, realmId: number): Promise<UserStatus[]> {
  const rows = await sql.query(LIST_STATUSES, [realmId]);
  return rows.map(({ status }) => status);
}

const LOAD_ORGANIZATION = statement(
  `select ${REALM_JSON} as realm, ${REALM_IMAGES_JSON} as images, ${realmGroupSettingsOf('r.id')} as "groupSettings",
     r.uuid, ${statusesVersionOf('r.id')} as "statusesVersion",
     ${defaultChannelIdsOf('r.id')} as "defaultChannelIds", ${defaultChannelGroupsOf('r.id')} as "defaultChannelGroups",
     (select json_object_agg(g.name, g.id) from user_group g where g.realm_id = r.id and g.name = any($2)) as "systemGroupIds",
     ${linkifiersOf('r.id')} as linkifiers, ${playgroundsOf('r.id')} as playgrounds,
     ${channelFoldersOf('r.id')} as "channelFolders", ${allowedDomainsOf('r.id')} as domains,
     ${profileFieldsOf('r.id')} as "profileFields", ${customEmojiOf('r.id')} as "customEmoji"
   from realm r where r.id = $1`,
  {
    realm: REALM,
    images: REALM_IMAGES,
    groupSettings: REALM_GROUP_SETTINGS,
    uuid: z.string(),
    statusesVersion: z.string(),
    defaultChannelIds: z.array(z.number()),
    defaultChannelGroups: z.array(messageShape<DefaultChannelGroup>('realm', 'DefaultChannelGroup')),
    systemGroupIds: z.custom<SystemGroupIds>(),
    linkifiers: z.array(messageShape<Linkifier>('realm', 'Linkifier')),
    playgrounds: z.array(messageShape<Playground>('realm', 'Playground')),
    channelFolders: z.array(messageShape<ChannelFolder>('realm', 'ChannelFolder')),
    domains: z.array(messageShape<AllowedDomain>('realm', 'AllowedDomain')),
    profileFields: z.array(messageShape<ProfileField>('realm', 'ProfileField')),
    customEmoji: z.array(messageShape<CustomEmoji>('realm', 'CustomEmoji')),
  },
);

export type OrganizationRow = RowOf<typeof LOAD_ORGANIZATION>;

/** The organization with the lists that all members share, except profiles, in one statement. */
export async function loadOrganizationRow(sql: Sql, realmId: number): Promise<OrganizationRow> {
  return onlyRow(await sql.query(LOAD_ORGANIZATION, [realmId, SYSTEM_GROUP_NAMES]));
}
