import type { Bundle } from './bundle';
import { channelBundle, defaultChannelsBundle, subscriptionBundle } from './channel-bundles';
import { listBundles, listFields } from './list-bundles';
import { personalBundles, personalFields } from './personal-bundles';
import { realmBundle } from './realm-bundle';
import { realmUserBundle, userGroupsBundle } from './user-bundles';

/** What POST /register takes from realm. */
export const realmBundles: readonly Bundle[] = [
  realmBundle,
  realmUserBundle,
  userGroupsBundle,
  subscriptionBundle,
  channelBundle,
  defaultChannelsBundle,
  ...personalBundles,
  ...listBundles,
];

/** All of their fields; a client gets those it asked for. */
export const realmFields = {
  ...realmBundle.fields,
  ...realmUserBundle.fields,
  ...userGroupsBundle.fields,
  ...subscriptionBundle.fields,
  ...channelBundle.fields,
  ...defaultChannelsBundle.fields,
  ...personalFields,
  ...listFields,
};
