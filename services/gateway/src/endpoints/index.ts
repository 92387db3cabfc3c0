import type { Endpoint } from '../http/endpoint';
import * as alertWords from './alert-words';
import * as apiKeys from './api-keys';
import * as avatars from './avatars';
import * as bots from './bots';
import * as calls from './calls';
import * as channelFolders from './channel-folders';
import * as channels from './channels';
import * as customEmoji from './custom-emoji';
import * as dataExports from './data-exports';
import * as defaultChannelGroups from './default-channel-groups';
import * as defaultChannels from './default-channels';
import * as domains from './domains';
import * as drafts from './drafts';
import * as events from './events';
import * as groups from './groups';
import * as invites from './invites';
import * as linkifiers from './linkifiers';
import * as messageFlags from './message-flags';
import * as messages from './messages';
import * as mutedUsers from './muted-users';
import * as navigationViews from './navigation-views';
import * as onboardingSteps from './onboarding-steps';
import * as organization from './organization';
import * as playgrounds from './playgrounds';
import * as presence from './presence';
import * as profileFields from './profile-fields';
import * as profileValues from './profile-values';
import * as pushDevices from './push-devices';
import * as reactions from './reactions';
import * as reminders from './reminders';
import * as savedSnippets from './saved-snippets';
import * as scheduledMessages from './scheduled-messages';
import * as server from './server';
import * as settings from './settings';
import * as statuses from './statuses';
import * as submessages from './submessages';
import * as subscriptions from './subscriptions';
import * as topics from './topics';
import * as typing from './typing';
import * as uploads from './uploads';
import * as userTopics from './user-topics';
import * as users from './users';

export * from './alert-words';
export * from './api-keys';
export * from './avatars';
export * from './bots';
export * from './calls';
export * from './channel-folders';
export * from './channels';
export * from './custom-emoji';
export * from './data-exports';
export * from './default-channel-groups';
export * from './default-channels';
export * from './domains';
export * from './drafts';
export * from './events';
export * from './groups';
export * from './invites';
export * from './linkifiers';
export * from './message-flags';
export * from './messages';
export * from './muted-users';
export * from './navigation-views';
export * from './onboarding-steps';
export * from './organization';
export * from './playgrounds';
export * from './presence';
export * from './profile-fields';
export * from './profile-values';
export * from './push-devices';
export * from './reactions';
export * from './reminders';
export * from './saved-snippets';
export * from './scheduled-messages';
export * from './server';
export * from './settings';
export * from './statuses';
export * from './submessages';
export * from './subscriptions';
export * from './topics';
export * from './typing';
export * from './uploads';
export * from './user-topics';
export * from './users';

/** Every operation of the API. */
export const endpoints: readonly Endpoint[] = [
  alertWords,
  apiKeys,
  avatars,
  bots,
  calls,
  channelFolders,
  channels,
  customEmoji,
  dataExports,
  defaultChannelGroups,
  defaultChannels,
  domains,
  drafts,
  events,
  groups,
  invites,
  linkifiers,
  messageFlags,
  messages,
  mutedUsers,
  navigationViews,
  onboardingSteps,
  organization,
  playgrounds,
  presence,
  profileFields,
  profileValues,
  pushDevices,
  reactions,
  reminders,
  savedSnippets,
  scheduledMessages,
  server,
  settings,
  statuses,
  submessages,
  subscriptions,
  topics,
  typing,
  uploads,
  userTopics,
  users,
].flatMap((resource): Endpoint[] => Object.values(resource));
