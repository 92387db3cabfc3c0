import { type RealmTable, type Sql, statement } from '@parley/shared/db';
import { type ChannelRetention, messageShape, type Retention } from '@parley/shared/proto';
import { FOR_EVER } from '@parley/shared/values';
import { z } from 'zod';

const CHANNELS = `json_agg(json_strip_nulls(json_build_object('channelId', c.id, 'name', c.name,
       'days', c.message_retention_days, 'subscriptionVersion', c.subscription_version,
       'isPrivate', c.is_private, 'isHistoryPublic', c.is_history_public, 'isWebPublic', c.is_web_public)) order by c.id)`;

const listing = (channels: string) =>
  statement(
    `select r.id as "realmId", coalesce((r.settings ->> 'message_retention_days')::int, ${FOR_EVER}) as days,
     coalesce(own.channels, '[]') as channels
   from realm r left join lateral (
     select ${channels} as channels, bool_or(c.message_retention_days <> ${FOR_EVER}) as has_rule
     from channel c where c.realm_id = r.id
   ) own on true
   where not r.is_deactivated and ($1::bigint is null or r.id = $1)
     and (own.has_rule or coalesce((r.settings ->> 'message_retention_days')::int, ${FOR_EVER}) <> ${FOR_EVER})
   order by r.id`,
    {
      realmId: z.number(),
      days: z.number(),
      channels: z.array(messageShape<ChannelRetention>('realm', 'ChannelRetention')),
    },
  );
const LIST = listing(CHANNELS);
const LIST_WITHOUT_CHANNELS = listing('null::json');

/** The retention rules of active organizations with any, or of one organization. */
export function listRetention(sql: Sql, realmId: number | null, isWithoutChannels: boolean): Promise<Retention[]> {
  return sql.query(isWithoutChannels ? LIST_WITHOUT_CHANNELS : LIST, [realmId]);
}

/** Tables with data of an organization, referring ones before those they refer to. */
export const TABLES: readonly RealmTable[] = [
  { table: 'oidc_spent' },
  { table: 'oidc_session' },
  { table: 'oidc_identity' },
  { table: 'oidc_provider' },
  { table: 'api_key' },
  { table: 'sign_in_attempt' },
  { table: 'sign_in_address' },
  { table: 'sign_in_device' },
  { table: 'sign_in_failure' },
  { table: 'ldap_identity' },
  { table: 'ldap_sync' },
  { table: 'ldap_directory' },
  { table: 'mail_job' },
  { table: 'mail_bounce' },
  { table: 'email_change_key' },
  { table: 'email_change' },
  { table: 'push_token' },
  { table: 'client_device' },
  { table: 'bot_storage' },
  { table: 'scim_token' },
  { table: 'scim_role' },
  { table: 'scim_group' },
  { table: 'scim_user' },
  { table: 'alert_word' },
  { table: 'muted_user' },
  { table: 'navigation_view' },
  { table: 'onboarding_step' },
  { table: 'user_settings' },
  { table: 'user_status' },
  { table: 'user_presence' },
  { table: 'presence_sequence' },
  { table: 'direct_contact' },
  { table: 'profile_value' },
  { table: 'profile_field' },
  { table: 'avatar_image' },
  { table: 'custom_emoji_image' },
  { table: 'custom_emoji' },
  { table: 'linkifier' },
  { table: 'playground' },
  { table: 'allowed_domain' },
  { table: 'realm_image' },
  { table: 'realm_user_settings_defaults' },
  { table: 'waiting_period_mark' },
  { table: 'default_channel_group_channel' },
  { table: 'default_channel_group' },
  { table: 'subscription_interval' },
  { table: 'subscription' },
  { table: 'bot_service' },
  { table: 'bot' },
  { table: 'realm_group_setting' },
  { table: 'channel_group_setting' },
  { table: 'user_group_setting' },
  { table: 'channel_mail_address' },
  { table: 'channel' },
  { table: 'channel_folder' },
  { table: 'outside_membership' },
  { table: 'user_group_member' },
  { table: 'user_group_subgroup' },
  { table: 'user_group' },
  { table: 'invited_account' },
  // The gateway deletes their archives first.
  { table: 'data_export', only: 'path_id is null' },
  { table: 'user_account', only: 'bot_owner_id is not null' },
  { table: 'user_account' },
  // Last: triggers count deletions from the others.
  { table: 'list_change' },
  { table: 'reader_change' },
  { table: 'alert_word_change' },
];
