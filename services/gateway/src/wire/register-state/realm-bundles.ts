import { botBundles, botFields } from './bot-bundles';
import type { Bundle } from './bundle';
import {
  channelBundle,
  defaultChannelGroupsBundle,
  defaultChannelsBundle,
  subscriptionBundle,
} from './channel-bundles';
import { gifBundle } from './gif-bundle';
import { listBundles, listFields } from './list-bundles';
import { onboardingBundle } from './onboarding-bundle';
import { personalBundles, personalFields } from './personal-bundles';
import { billingBundle, realmBundle } from './realm-bundle';
import { stopWordsBundle } from './stop-words-bundle';
import { realmUserBundle, userGroupsBundle } from './user-bundles';

/** What POST /register takes from realm. */
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

/** All of their fields; a client gets those it asked for. */
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
