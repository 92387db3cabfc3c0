import type { Bundle } from './bundle';
import {
  channelBundle,
  defaultChannelGroupsBundle,
  defaultChannelsBundle,
  subscriptionBundle,
} from './channel-bundles';
import { gifBundle, listBundles, listFields, stopWordsBundle } from './list-bundles';
import { onboardingBundle, personalBundles, personalFields } from './personal-bundles';
import { billingBundle, realmBundle } from './realm-bundle';
import { botBundles, botFields, realmUserBundle, userGroupsBundle } from './user-bundles';

/** The part of POST /register that comes from realm. */
export const realmBundles: readonly Bundle[] = [
  realmBundle,
  billingBundle,
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
  ...realmBundle.fields,
  ...billingBundle.fields,
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
