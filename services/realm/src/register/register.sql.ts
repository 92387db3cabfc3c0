import type { Sql } from '@parley/shared/db';
import type { MutedUser, NavigationView, OrganizationLists, UserStatus } from '@parley/shared/proto';
import type { UserSettings } from '@parley/shared/values';
import { CHANNEL_JSON } from '../channel-access/channels.sql';
import type { StoredChannel } from '../channel-access/complete-channel';
import { channelFoldersOf } from '../channel-folders/channel-folders.sql';
import { customEmojiOf } from '../custom-emoji/custom-emoji.sql';
import { allowedDomainsOf } from '../domains/allowed-domains.sql';
import { linkifiersOf } from '../linkifiers/linkifiers.sql';
import { playgroundsOf } from '../playgrounds/playgrounds.sql';
import { profileFieldsOf } from '../profiles/profile-fields.sql';
import { type ProfileRow, profilesOf } from '../profiles/profile-values.sql';
import { USER_STATUS_JSON } from '../statuses/statuses.sql';
import { type Properties, SUBSCRIPTION_JSON } from '../subscriptions/subscriptions.sql';

export interface ChannelWithSubscription {
  channel: StoredChannel;
  isDefault: boolean;
  isSubscribed: boolean;
  /** Of the user's subscription, past or present; null: they never had one. */
  properties: Properties | null;
}

/** Every channel of the organization, by id, with what the user has set for it. */
export function listChannelsWithSubscription(
  sql: Sql,
  realmId: number,
  userId: number,
): Promise<ChannelWithSubscription[]> {
  return sql.query(
    `select ${CHANNEL_JSON} as channel, c.is_default as "isDefault",
       coalesce(s.is_active, false) as "isSubscribed",
       case when s.user_id is not null then ${SUBSCRIPTION_JSON} end as properties
     from channel c
     left join subscription s on s.realm_id = c.realm_id and s.channel_id = c.id and s.user_id = $2
     where c.realm_id = $1 order by c.id`,
    [realmId, userId],
  );
}

export interface SubscriptionState {
  channelId: number;
  isSubscribed: boolean;
  properties: Properties;
}

/** The user's subscriptions, past and present, by channel. */
export function listSubscriptionStates(sql: Sql, realmId: number, userId: number): Promise<SubscriptionState[]> {
  return sql.query(
    `select s.channel_id as "channelId", s.is_active as "isSubscribed", ${SUBSCRIPTION_JSON} as properties
     from subscription s where s.realm_id = $1 and s.user_id = $2 order by s.channel_id`,
    [realmId, userId],
  );
}

/** SQL for a NavigationView as JSON, from a row of `navigation_view` called `v`. */
const NAVIGATION_VIEW_JSON = `json_strip_nulls(json_build_object('fragment', v.fragment, 'isPinned', v.is_pinned, 'name', v.name))`;

export interface PersonalStateRow {
  chosen: Partial<UserSettings>;
  chosenDefaults: Partial<UserSettings>;
  alertWords: string[];
  mutedUsers: MutedUser[];
  navigationViews: NavigationView[];
  completedOnboardingSteps: string[];
  clientDeviceIds: number[];
}

/** The user's own settings. */
export async function loadPersonalState(sql: Sql, realmId: number, userId: number): Promise<PersonalStateRow> {
  const [row] = await sql.query<PersonalStateRow>(
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
    [realmId, userId],
  );
  return row as PersonalStateRow;
}

/** The statuses of active people who have set one or are away, by id. */
export async function listStatuses(sql: Sql, realmId: number): Promise<UserStatus[]> {
  const rows = await sql.query<{ status: UserStatus }>(
    `select ${USER_STATUS_JSON} as status
     from (select user_id from user_status where realm_id = $1 and (status_text <> '' or emoji_name <> '')
       union select user_id from user_settings where realm_id = $1 and chosen @> '{"presence_enabled": false}') shown
     join user_account u on u.realm_id = $1 and u.id = shown.user_id and u.is_active
     left join user_status t on t.realm_id = $1 and t.user_id = u.id
     left join user_settings s on s.realm_id = $1 and s.user_id = u.id
     order by u.id`,
    [realmId],
  );
  return rows.map(({ status }) => status);
}

type OrganizationListsRow = Omit<OrganizationLists, 'profiles'> & { profiles: ProfileRow[] };

/** Everything that the organization lists for all its members, in one statement; profiles only if asked for. */
export async function loadOrganizationLists(
  sql: Sql,
  realmId: number,
  { includesProfiles }: { includesProfiles: boolean },
): Promise<OrganizationListsRow> {
  const profiles = includesProfiles ? profilesOf('$1', 'null') : `'[]'::json`;
  const [row] = await sql.query<OrganizationListsRow>(
    `select ${linkifiersOf('$1')} as linkifiers, ${playgroundsOf('$1')} as playgrounds,
       ${channelFoldersOf('$1')} as "channelFolders", ${allowedDomainsOf('$1')} as domains,
       ${profileFieldsOf('$1')} as "profileFields", ${profiles} as profiles,
       ${customEmojiOf('$1')} as "customEmoji"`,
    [realmId],
  );
  return row as OrganizationListsRow;
}
