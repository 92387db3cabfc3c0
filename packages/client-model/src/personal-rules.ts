import type { Rules } from './rules';
import { add, change, type Item, listOf, NotOneCut, take } from './state';

/** Data of one account. */
export const personalRules: Rules = {
  // These three contain the whole list.
  alert_words(state, { alert_words: words }) {
    state['alert_words'] = words;
  },
  onboarding_steps(state, { onboarding_steps: steps }) {
    state['onboarding_steps'] = steps;
  },
  muted_users(state, { muted_users: users }) {
    state['muted_users'] = users;
  },
  'device/add'(state, { device_id: id }) {
    const devices = state['devices'] as Item;
    if (String(id) in devices) throw new NotOneCut(`there is a device ${id}`);
    devices[String(id)] = {
      push_key_id: null,
      push_token_id: null,
      pending_push_token_id: null,
      push_token_last_updated_timestamp: null,
      push_registration_error_code: null,
    };
  },
  'device/remove'(state, { device_id: id }) {
    const devices = state['devices'] as Item;
    if (!(String(id) in devices)) throw new NotOneCut(`there is no device ${id}`);
    delete devices[String(id)];
  },
  'navigation_view/add'(state, { navigation_view: view }) {
    add(listOf(state, 'navigation_views'), 'fragment', { ...(view as Item) });
  },
  'navigation_view/update'(state, { fragment, data }) {
    change(listOf(state, 'navigation_views'), 'fragment', fragment, data as Item);
  },
  'navigation_view/remove'(state, { fragment }) {
    take(listOf(state, 'navigation_views'), 'fragment', [fragment]);
  },
};
