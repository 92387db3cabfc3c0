import type { GroupSetting } from '../proto';
import type { RealmSettings } from '../values';
import { type PublicAuthenticationMethods, publicGroupSettings } from '../wire';
import { declareEvent } from './declare-event';

/** What has changed, and nothing else. */
export interface RealmChanged {
  settings: Partial<Omit<RealmSettings, 'authentication_methods'>>;
  groupSettings: Record<string, GroupSetting>;
  authenticationMethods?: PublicAuthenticationMethods;
  description?: { text: string; rendered: string };
}

/**
 * Several things of an organization have changed at once, or one that others follow. Public event `realm`, op `update_dict`, for
 * everybody.
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
    // Deprecated, and told all the same to clients that know nothing newer.
    ...(topicsPolicy !== undefined && { mandatory_topics: topicsPolicy === 'disable_empty_topic' }),
    ...(historyPolicy !== undefined && { allow_edit_history: historyPolicy !== 'none' }),
    ...(authenticationMethods && { authentication_methods: authenticationMethods }),
    ...(description && { description: description.text, rendered_description: description.rendered }),
    ...publicGroupSettings(groupSettings),
  };
}
