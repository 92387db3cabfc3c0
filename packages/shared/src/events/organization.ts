import type { GroupSetting } from '../proto';
import { brandedNames, type RealmSettings } from '../values';
import {
  type OrganizationImageKind,
  type PublicAuthenticationMethods,
  publicGroupSettings,
  publicOrganizationImage,
} from '../wire';
import { declareEvent } from './declare-event';

/** The changed fields only. */
export interface RealmChanged {
  settings: Partial<Omit<RealmSettings, 'authentication_methods'>>;
  groupSettings: Record<string, GroupSetting>;
  authenticationMethods?: PublicAuthenticationMethods;
  description?: { text: string; rendered: string };
}

/**
 * Several properties of an organization changed at once, or one with dependent properties. Public event `realm`, op
 * `update_dict`, for everybody.
 */
export const realmChanged = declareEvent<RealmChanged>()('realm.changed', [
  {
    type: 'realm',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: (payload) => ({ type: 'realm', op: 'update_dict', property: 'default', data: publicChanges(payload) }),
  },
]);

function publicChanges({ settings, groupSettings, authenticationMethods, description }: RealmChanged) {
  const { topics_policy: topicsPolicy, message_edit_history_visibility_policy: historyPolicy } = settings;
  return {
    ...settings,
    // Deprecated; still sent to clients without a newer event.
    ...(topicsPolicy !== undefined && { mandatory_topics: topicsPolicy === 'disable_empty_topic' }),
    ...(historyPolicy !== undefined && { allow_edit_history: historyPolicy !== 'none' }),
    ...(authenticationMethods && { authentication_methods: authenticationMethods }),
    ...(description && { description: description.text, rendered_description: description.rendered }),
    ...publicGroupSettings(groupSettings),
  };
}

export interface RealmPropertyChanged {
  /** Its name in the API. */
  name: string;
  value: boolean | number | string | null;
}

/** One property of an organization without dependent ones changed. Public event `realm`, op `update`, for everybody. */
export const realmPropertyChanged = declareEvent<RealmPropertyChanged>()('realm.property-changed', [
  {
    type: 'realm',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ name, value }) => ({ type: 'realm', op: 'update', property: name, value }),
  },
]);

export interface RealmImageChanged {
  realmId: number;
  subdomain: string;
  kind: OrganizationImageKind;
  /** Null: the default picture is shown. */
  version: number | null;
}

/** An organization's icon or logo changed. Public event `realm`, op `update_dict`, for everybody. */
export const realmImageChanged = declareEvent<RealmImageChanged>()('realm.image-changed', [
  {
    type: 'realm',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ realmId, subdomain, kind, version }) => ({
      type: 'realm',
      op: 'update_dict',
      property: kind,
      data: publicOrganizationImage({ id: realmId, subdomain }, kind, version),
    }),
  },
]);

export interface RealmDeactivated {
  realmId: number;
}

/** An organization was deactivated: its queues end with this event. Public event `realm`, op `deactivated`, for everybody. */
export const realmDeactivated = declareEvent<RealmDeactivated>()('realm.deactivated', [
  {
    type: 'realm',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ realmId }) => ({ type: 'realm', op: 'deactivated', realm_id: realmId }),
  },
]);

/** The operator has filled an organization, without an event for each object: existing queues are outdated. */
export const realmFilled = declareEvent<Record<string, never>>()('realm.filled', []);

export interface ReleaseChanged {
  version: string;
  mergeBase: string;
  featureLevel: number;
  /** When the server's release was first reported, UNIX seconds. */
  generation: number;
  /** Prefixes of field names in events, see API_BRANDS. */
  brands: readonly string[];
}

/**
 * The server has another version or feature level, on which clients' behaviour depends. Public event `restart`, for everybody.
 */
export const releaseChanged = declareEvent<ReleaseChanged>()('release.changed', [
  {
    type: 'restart',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ version, mergeBase, featureLevel, generation, brands }) => ({
      type: 'restart',
      ...inEveryBrand('service_version', version, brands),
      ...inEveryBrand('service_merge_base', mergeBase, brands),
      ...inEveryBrand('service_feature_level', featureLevel, brands),
      server_generation: generation,
    }),
  },
]);

function inEveryBrand(name: string, value: string | number, brands: readonly string[]) {
  return Object.fromEntries(brandedNames(name, brands).map((alias) => [alias, value]));
}
