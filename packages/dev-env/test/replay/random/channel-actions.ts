import { listOf } from '@parley/client-model/state';
import {
  addDefaultChannel,
  archiveChannel,
  createChannel,
  createChannelFolder,
  removeDefaultChannel,
  reorderChannelFolders,
  subscribe,
  unsubscribe,
  updateChannel,
  updateChannelFolder,
  updateRealm,
  updateSubscriptionProperties,
} from '@parley/gateway/endpoints';
import { CHANNEL_PERMISSION_SETTINGS, REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import {
  type Action,
  anyone,
  ask,
  channelIn,
  channelNameIn,
  flip,
  grantedTo,
  idIn,
  leader,
  type Stage,
  userIn,
} from './actors';

type Actions = Readonly<Record<string, (stage: Stage) => Action>>;

/** With so many, the others are changed more often. */
const ENOUGH_CHANNELS = 10;

const folderIn = (stage: Stage) => idIn(stage, stage.state, ['channel_folders'], 'id');

const privacyOf = (stage: Stage) =>
  stage.random.pick([
    { is_private: false },
    { is_private: true, history_public_to_subscribers: true },
    { is_private: true, history_public_to_subscribers: false },
    { is_web_public: true },
  ]);

function makeChannel(stage: Stage): Action {
  if (listOf(stage.state, 'streams').length >= ENOUGH_CHANNELS) return join(stage);
  const { is_private: invite_only, ...privacy } = { is_private: undefined, ...privacyOf(stage) };
  return ask(stage, leader(stage), createChannel, {
    ...{ name: stage.name, subscribers: [userIn(stage), userIn(stage)] },
    ...{ ...privacy, ...(invite_only !== undefined && { invite_only }) },
  });
}

const join = (stage: Stage) =>
  ask(stage, anyone(stage), subscribe, { subscriptions: [{ name: channelNameIn(stage) }] });

const ofChannels: Actions = {
  makeChannel,
  changeChannel: (stage) =>
    ask(stage, leader(stage), updateChannel, {
      stream_id: channelIn(stage),
      ...stage.random.pick([
        { new_name: stage.name },
        { description: stage.name },
        { is_archived: false },
        { folder_id: flip(stage) ? folderIn(stage) : null },
        { topics_policy: stage.random.pick(['inherit', 'allow_empty_topic', 'disable_empty_topic'] as const) },
      ]),
    }),
  changePrivacy: (stage) =>
    ask(stage, leader(stage), updateChannel, { stream_id: channelIn(stage), ...privacyOf(stage) }),
  grantInChannel: (stage) =>
    ask(stage, leader(stage), updateChannel, {
      stream_id: channelIn(stage),
      [stage.random.pick(Object.keys(CHANNEL_PERMISSION_SETTINGS))]: { new: grantedTo(stage) },
    }),
  archive: (stage) => ask(stage, leader(stage), archiveChannel, { stream_id: channelIn(stage) }),
  suggest: (stage) => ask(stage, 'iris', addDefaultChannel, { stream_id: channelIn(stage) }),
  unsuggest: (stage) => ask(stage, 'iris', removeDefaultChannel, { stream_id: channelIn(stage) }),
};

const ofSubscriptions: Actions = {
  join,
  leave: (stage) => ask(stage, anyone(stage), unsubscribe, { subscriptions: [channelNameIn(stage)] }),
  invite: (stage) =>
    ask(stage, leader(stage), subscribe, {
      subscriptions: [{ name: channelNameIn(stage) }],
      principals: [userIn(stage), userIn(stage)],
    }),
  remove: (stage) =>
    ask(stage, leader(stage), unsubscribe, { subscriptions: [channelNameIn(stage)], principals: [userIn(stage)] }),
  setSubscription: (stage) =>
    ask(stage, anyone(stage), updateSubscriptionProperties, {
      subscription_data: [
        {
          stream_id: channelIn(stage),
          ...stage.random.pick([
            { property: 'is_muted', value: flip(stage) },
            { property: 'pin_to_top', value: flip(stage) },
            { property: 'desktop_notifications', value: flip(stage) },
            { property: 'color', value: stage.random.pick(['#c2c2c2', '#76ce90']) },
          ]),
        },
      ],
    }),
};

const ofOrganization: Actions = {
  makeFolder: (stage) => ask(stage, leader(stage), createChannelFolder, { name: stage.name }),
  changeFolder: (stage) =>
    ask(stage, leader(stage), updateChannelFolder, {
      channel_folder_id: folderIn(stage),
      ...stage.random.pick([{ name: stage.name }, { description: stage.name }, { is_archived: flip(stage) }]),
    }),
  reorderFolders: (stage) => {
    const ids = listOf(stage.state, 'channel_folders').map(({ id }) => id as number);
    return ask(stage, leader(stage), reorderChannelFolders, { order: stage.random.sample(ids, ids.length) });
  },
  grant: (stage) => {
    const { can_access_all_users_group: _, ...permissions } = REALM_PERMISSION_SETTINGS;
    const name = stage.random.pick(Object.keys(permissions));
    return ask(stage, leader(stage), updateRealm, { [name]: { new: grantedTo(stage) } });
  },
  restrictGuests: (stage) => {
    const groups = listOf(stage.state, 'realm_user_groups');
    const wanted = stage.random.pick(['role:members', 'role:members', 'role:everyone']);
    const group = groups.find(({ name }) => name === wanted);
    return ask(stage, 'iris', updateRealm, { can_access_all_users_group: { new: group?.['id'] as number } });
  },
  setOrganization: (stage) =>
    ask(
      stage,
      leader(stage),
      updateRealm,
      stage.random.pick([
        { description: stage.name },
        { enable_read_receipts: flip(stage) },
        { waiting_period_threshold: stage.random.below(2) },
        { topics_policy: stage.random.pick(['allow_empty_topic', 'disable_empty_topic']) },
        { message_edit_history_visibility_policy: 'all' },
      ]),
    ),
};

/** Channels, subscriptions, folders, and the organization's settings. */
export const channelActions: Actions = { ...ofChannels, ...ofSubscriptions, ...ofOrganization };
