import type { Bundle } from './bundle';
import {
  channelBundle,
  defaultChannelGroupsBundle,
  defaultChannelsBundle,
  subscriptionBundle,
} from './channel-bundles';
import { gifBundle, listBundles, listFields, stopWordsBundle } from './list-bundles';
import { organizationBundles, organizationFields } from './organization-bundles';
import { onboardingBundle, personalBundles, personalFields } from './personal-bundles';
import { botBundles, botFields, realmUserBundle, userGroupsBundle } from './user-bundles';

/** The part of POST /register that comes from realm. */
export const realmBundles: readonly Bundle[] = [
  ...organizationBundles,
  realmUserBundle,
  userGroupsBundle,
  subscriptionBundle,
  channelBundle,
  defaultChannelsBundle,
  defaultChannelGroupsBundle,
  ...personalBundles,
  ...listBundles,
  ...botBundles,
  onboardingBundle,
  gifBundle,
  stopWordsBundle,
];

/** All of their fields; a client gets the requested ones. */
export const realmFields = {
  ...organizationFields,
  ...realmUserBundle.fields,
  ...userGroupsBundle.fields,
  ...subscriptionBundle.fields,
  ...channelBundle.fields,
  ...defaultChannelsBundle.fields,
  ...defaultChannelGroupsBundle.fields,
  ...personalFields,
  ...listFields,
  ...botFields,
  ...onboardingBundle.fields,
  ...gifBundle.fields,
  ...stopWordsBundle.fields,
};
