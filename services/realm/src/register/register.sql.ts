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
import { z } from 'zod';
import { CHOSEN_SETTINGS } from '../base/chosen-settings';
import { CHANNEL_JSON, STORED_CHANNEL } from '../channel-access/channels.sql';
import { channelFoldersOf } from '../channel-folders/channel-folders.sql';
import type { SystemGroupIds } from '../group-settings/complete-settings';
import { statusesVersionOf } from '../list-changes/versions.sql';
import { allowedDomainsOf } from '../organization-lists/allowed-domains.sql';
import { customEmojiOf } from '../organization-lists/custom-emoji.sql';
import { defaultChannelGroupsOf } from '../organization-lists/default-channel-groups.sql';
import { defaultChannelIdsOf } from '../organization-lists/default-channels.sql';
import { linkifiersOf } from '../organization-lists/linkifiers.sql';
import { playgroundsOf } from '../organization-lists/playgrounds.sql';
import { USER_STATUS_JSON } from '../personal/statuses.sql';
import { profileFieldsOf } from '../profiles/profile-fields.sql';
import { PROFILE, profilesOf } from '../profiles/profile-values.sql';
import { PROPERTIES, SUBSCRIPTION_JSON } from '../subscriptions/subscriptions.sql';

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

const LIST_SUBSCRIPTIONS = statement(
  `select s.channel_id as "channelId", s.is_active as "isSubscribed", ${SUBSCRIPTION_JSON} as properties
   from subscription s where s.realm_id = $1 and s.user_id = $2 order by s.channel_id`,
  { channelId: z.number(), isSubscribed: z.boolean(), properties: PROPERTIES },
);

export type SubscriptionState = RowOf<typeof LIST_SUBSCRIPTIONS>;

/** The user's subscriptions, past and present, by channel. */
export function listSubscriptionStates(sql: Sql, realmId: number, userId: number): Promise<SubscriptionState[]> {
  return sql.query(LIST_SUBSCRIPTIONS, [realmId, userId]);
}

/** SQL for a NavigationView as JSON, from a row of `navigation_view` called `v`. */
const NAVIGATION_VIEW_JSON = `json_strip_nulls(json_build_object('fragment', v.fragment, 'isPinned', v.is_pinned, 'name', v.name))`;

const LOAD_PERSONAL_STATE = statement(
  `select
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
       where c.realm_id = $1 and c.user_id = $2), '[]') as "clientDeviceIds"`,
  {
    chosen: CHOSEN_SETTINGS,
    chosenDefaults: CHOSEN_SETTINGS,
    alertWords: z.array(z.string()),
    mutedUsers: z.array(messageShape<MutedUser>('realm', 'MutedUser')),
    navigationViews: z.array(messageShape<NavigationView>('realm', 'NavigationView')),
    completedOnboardingSteps: z.array(z.string()),
    clientDeviceIds: z.array(z.number()),
  },
);

export type PersonalStateRow = RowOf<typeof LOAD_PERSONAL_STATE>;

/** The user's own settings and lists. */
export async function loadPersonalState(sql: Sql, realmId: number, userId: number): Promise<PersonalStateRow> {
  return onlyRow(await sql.query(LOAD_PERSONAL_STATE, [realmId, userId]));
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

const LOAD_PARTS = statement(
  `select r.uuid, ${statusesVersionOf('r.id')} as "statusesVersion",
     ${defaultChannelIdsOf('r.id')} as "defaultChannelIds", ${defaultChannelGroupsOf('r.id')} as "defaultChannelGroups",
     (select json_object_agg(g.name, g.id) from user_group g where g.realm_id = r.id and g.name = any($2)) as "systemGroupIds"
   from realm r where r.id = $1`,
  {
    uuid: z.string(),
    statusesVersion: z.string(),
    defaultChannelIds: z.array(z.number()),
    defaultChannelGroups: z.array(messageShape<DefaultChannelGroup>('realm', 'DefaultChannelGroup')),
    systemGroupIds: z.custom<SystemGroupIds>(),
  },
);

export type OrganizationParts = RowOf<typeof LOAD_PARTS>;

/** Small parts of the organization, in one statement. */
export async function loadOrganizationParts(sql: Sql, realmId: number): Promise<OrganizationParts> {
  return onlyRow(await sql.query(LOAD_PARTS, [realmId, SYSTEM_GROUP_NAMES]));
}

const selectLists = (profiles: string) =>
  composed(
    `select ${linkifiersOf('$1')} as linkifiers, ${playgroundsOf('$1')} as playgrounds,
       ${channelFoldersOf('$1')} as "channelFolders", ${allowedDomainsOf('$1')} as domains,
       ${profileFieldsOf('$1')} as "profileFields", ${profiles} as profiles,
       ${customEmojiOf('$1')} as "customEmoji"`,
    {
      linkifiers: z.array(messageShape<Linkifier>('realm', 'Linkifier')),
      playgrounds: z.array(messageShape<Playground>('realm', 'Playground')),
      channelFolders: z.array(messageShape<ChannelFolder>('realm', 'ChannelFolder')),
      domains: z.array(messageShape<AllowedDomain>('realm', 'AllowedDomain')),
      profileFields: z.array(messageShape<ProfileField>('realm', 'ProfileField')),
      profiles: z.array(PROFILE),
      customEmoji: z.array(messageShape<CustomEmoji>('realm', 'CustomEmoji')),
    },
  );
const SELECT_LISTS = selectLists(`'[]'::json`);
const SELECT_LISTS_WITH_PROFILES = selectLists(profilesOf('$1', 'null'));

/** All lists of the organization shared by all members, in one statement; profiles only if requested. */
export async function loadOrganizationLists(
  sql: Sql,
  realmId: number,
  { includesProfiles }: { includesProfiles: boolean },
): Promise<RowOf<typeof SELECT_LISTS>> {
  return onlyRow(await sql.query(includesProfiles ? SELECT_LISTS_WITH_PROFILES : SELECT_LISTS, [realmId]));
}
