import type { Rules } from './rules';
import type { Item, State } from './state';

/** Settings of the organization and the account, and the server's release. */
export const organizationRules: Rules = {
  // Settings are simply set: an event contains a setting's new value only.
  'realm/update'(state, { property, value }) {
    state[`realm_${property}`] = value;
    derive(state);
  },
  'realm/update_dict'(state, { data }) {
    for (const [name, value] of Object.entries(data as Item)) state[`realm_${name}`] = value;
    derive(state);
  },
  'user_settings/update'(state, { property, value }) {
    Object.assign(state['user_settings'] as Item, { [property as string]: value });
  },
  update_display_settings(state, { setting_name: name, setting }) {
    state[name as string] = setting;
  },
  update_global_notifications(state, { notification_name: name, setting }) {
    state[name as string] = setting;
  },
  'realm_user_settings_defaults/update'(state, { property, value }) {
    Object.assign(state['realm_user_settings_defaults'] as Item, { [property as string]: value });
  },
  // Its generation differs: registering returns the start time of the answering gateway.
  restart(state, { id, type, server_generation, ...release }) {
    Object.assign(state, release);
  },
};

/** Members that repeat others under other names. */
function derive(state: State): void {
  const methods = state['realm_authentication_methods'] as Record<string, { enabled: boolean } | undefined>;
  state['realm_email_auth_enabled'] = methods['Email']?.enabled;
  state['realm_password_auth_enabled'] = methods['Email']?.enabled || methods['LDAP'] !== undefined;
  state['jitsi_server_url'] = state['realm_jitsi_server_url'] ?? state['server_jitsi_server_url'];
}
