import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import type { GroupSetting, Organization, RegisterState } from '@parley/shared/proto';
import { JITSI_SERVER_URL, realmSettingsOf, toSeconds } from '@parley/shared/values';
import {
  formerPolicies,
  type PublicGroupSetting,
  publicGroupSettings,
  publicOrganizationImages,
} from '@parley/shared/wire';
import { z } from 'zod';
import { groupSettingSchema } from '../../wire/groups';
import { publicRealmSettings, realmSettingFields } from '../../wire/organization';
import { bundle } from './bundle';
import { serverFields, serverValues } from './server-fields';

const policy = z.int().describe('Deprecated: derived from the permission that has taken its place.');

/** Permissions as older clients know them. */
const permissionMirrorFields = {
  realm_create_public_stream_policy: policy,
  realm_create_private_stream_policy: policy,
  realm_create_web_public_stream_policy: policy,
  realm_wildcard_mention_policy: policy,
};

/** By their names in events, with this prefix. */
function permissionMirrors({ realmGroupSettings, systemGroupIds }: RegisterState) {
  const policies = formerPolicies(realmGroupSettings as Record<RealmPermissionName, GroupSetting>, systemGroupIds);
  return {
    realm_create_public_stream_policy: policies.create_public_stream_policy,
    realm_create_private_stream_policy: policies.create_private_stream_policy,
    realm_create_web_public_stream_policy: policies.create_web_public_stream_policy,
    realm_wildcard_mention_policy: policies.wildcard_mention_policy,
  };
}

type PermissionField = `realm_${RealmPermissionName}`;

const permissionFields = Object.fromEntries(
  Object.keys(REALM_PERMISSION_SETTINGS).map((name) => [`realm_${name}`, groupSettingSchema]),
) as Record<PermissionField, typeof groupSettingSchema>;

/** Values derived from settings, under the names that older clients use. */
const derivedFields = {
  realm_mandatory_topics: z.boolean().describe('Deprecated: derived from realm_topics_policy.'),
  realm_allow_edit_history: z
    .boolean()
    .describe('Deprecated: derived from realm_message_edit_history_visibility_policy.'),
  realm_gif_rating_policy: z.int().describe('Alias of realm_giphy_rating.'),
  realm_email_auth_enabled: z.boolean(),
  realm_password_auth_enabled: z.boolean(),
  jitsi_server_url: z.string().describe('Deprecated: realm_jitsi_server_url, or else server_jitsi_server_url.'),
};

// NOTE: four bundles, because spreading more than a hundred members into one object takes longer than all of the rest.
const organizationBundle = bundle({
  type: 'realm',
  fields: {
    realm_name: z.string(),
    realm_description: z.string(),
    realm_rendered_description: z.string(),
    realm_url: z.string(),
    realm_uri: z.string().describe('Deprecated alias of realm_url.'),
    realm_uuid: z.string(),
    realm_bot_domain: z.string(),
    realm_date_created: z.int(),
    realm_icon_url: z.string(),
    realm_icon_source: z.string(),
    realm_logo_url: z.string(),
    realm_logo_source: z.string(),
    realm_night_logo_url: z.string(),
    realm_night_logo_source: z.string(),
    ...permissionMirrorFields,
    ...derivedFields,
    max_file_upload_size_mib: z.int(),
    realm_upload_quota_mib: z.int().nullable(),
    realm_push_notifications_enabled: z.boolean(),
    server_generation: z.int(),
    server_web_public_streams_enabled: z.boolean(),
    development_environment: z.boolean(),
  },
  present(state, view) {
    const realm = state.realm as Organization;
    return {
      ...profile(realm, view.origin),
      realm_uuid: state.realmUuid,
      realm_bot_domain: view.botDomain,
      ...permissionMirrors(state),
      ...derived(realm),
      max_file_upload_size_mib: view.maxFileUploadMib,
      realm_upload_quota_mib: view.uploadQuotaMib,
      realm_push_notifications_enabled: view.arePhonesNotified,
      server_generation: toSeconds(view.startedAtMs),
      server_web_public_streams_enabled: view.areWebPublicChannelsEnabled,
      development_environment: view.authenticationMethods.includes('Dev'),
    };
  },
});

const settingsBundle = bundle({
  type: 'realm',
  fields: realmSettingFields,
  present({ realm }, { authenticationMethods }) {
    return publicRealmSettings(realmSettingsOf(realm as Organization), authenticationMethods, realm as Organization);
  },
});

const permissionsBundle = bundle({
  type: 'realm',
  fields: permissionFields,
  present({ realmGroupSettings }) {
    const entries = Object.entries(publicGroupSettings(realmGroupSettings));
    const named = entries.map(([name, value]) => [`realm_${name}`, value]);
    return Object.fromEntries(named) as Record<PermissionField, PublicGroupSetting>;
  },
});

const serverBundle = bundle({ type: 'realm', fields: serverFields, present: () => serverValues });

/** There are no paid plans. */
const billingBundle = bundle({
  type: 'realm_billing',
  fields: { realm_billing: z.strictObject({ has_pending_sponsorship_request: z.boolean() }) },
  present: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
});

function profile(realm: Organization, origin: string) {
  const { icon_url, icon_source, logo_url, logo_source, night_logo_url, night_logo_source } =
    publicOrganizationImages(realm);
  return {
    realm_name: realm.name,
    realm_description: realm.description,
    realm_rendered_description: realm.renderedDescription,
    realm_url: origin,
    realm_uri: origin,
    realm_date_created: toSeconds(realm.createdAtMs),
    realm_icon_url: icon_url,
    realm_icon_source: icon_source,
    realm_logo_url: logo_url,
    realm_logo_source: logo_source,
    realm_night_logo_url: night_logo_url,
    realm_night_logo_source: night_logo_source,
  };
}

function derived(realm: Organization) {
  const settings = realmSettingsOf(realm);
  const isPasswordEnabled = settings.authentication_methods.Email || realm.hasLdap;
  return {
    realm_mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    realm_allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    realm_gif_rating_policy: settings.giphy_rating,
    realm_email_auth_enabled: settings.authentication_methods.Email,
    realm_password_auth_enabled: isPasswordEnabled,
    jitsi_server_url: settings.jitsi_server_url ?? JITSI_SERVER_URL,
  };
}

/** The organization, its plan and the server's limits. */
export const organizationBundles = [organizationBundle, settingsBundle, permissionsBundle, serverBundle, billingBundle];

/** All of their fields. */
export const organizationFields = {
  ...organizationBundle.fields,
  ...settingsBundle.fields,
  ...permissionsBundle.fields,
  ...serverBundle.fields,
  ...billingBundle.fields,
};
