import type { Rules } from './rules';
import { add, type Item, listOf, replace, take } from './state';

/** Lists that an organization's administrators maintain. */
export const listRules: Rules = {
  // These events contain the whole list; those of domains contain one domain.
  'realm_emoji/update'(state, { realm_emoji: emoji }) {
    state['realm_emoji'] = emoji;
  },
  realm_linkifiers(state, { realm_linkifiers: linkifiers }) {
    state['realm_linkifiers'] = linkifiers;
  },
  realm_playgrounds(state, { realm_playgrounds: playgrounds }) {
    state['realm_playgrounds'] = playgrounds;
  },
  custom_profile_fields(state, { fields }) {
    state['custom_profile_fields'] = fields;
    // Values of removed fields are gone with them.
    const ids = new Set((fields as Item[]).map(({ id }) => String(id)));
    for (const name of ['realm_users', 'realm_non_active_users']) {
      for (const { profile_data: profile } of listOf(state, name)) keepOnly(profile as Item | undefined, ids);
    }
  },
  'realm_domains/add'(state, { realm_domain: entry }) {
    add(listOf(state, 'realm_domains'), 'domain', entry as Item);
  },
  'realm_domains/change'(state, { realm_domain: entry }) {
    replace(listOf(state, 'realm_domains'), 'domain', entry as Item);
  },
  'realm_domains/remove'(state, { domain }) {
    take(listOf(state, 'realm_domains'), 'domain', [domain]);
  },
};

function keepOnly(item: Item | undefined, names: ReadonlySet<string>): void {
  for (const name of Object.keys(item ?? {})) if (!names.has(name)) delete (item as Item)[name];
}
