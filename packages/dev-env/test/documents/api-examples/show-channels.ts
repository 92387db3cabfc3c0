import {
  addDefaultChannel,
  archiveChannel,
  changeDefaultChannelGroupChannels,
  changeGroupMembers,
  changeOwnSubscriptions,
  changeSubgroups,
  createChannel,
  createChannelFolder,
  createDefaultChannelGroup,
  createGroup,
  deactivateGroup,
  findChannel,
  getChannel,
  getChannelEmailAddress,
  getChannelMembers,
  getGroupMembers,
  getSubgroups,
  getSubscriptionStatus,
  getUserChannels,
  isGroupMember,
  listChannelFolders,
  listChannels,
  listGroups,
  listSubscriptions,
  removeDefaultChannel,
  removeDefaultChannelGroup,
  reorderChannelFolders,
  subscribe,
  unsubscribe,
  updateChannel,
  updateChannelFolder,
  updateDefaultChannelGroup,
  updateGroup,
  updateSubscriptionProperties,
  updateSubscriptionProperty,
} from '@parley/gateway/endpoints';
import type { Tour } from './tour';

/** Channels, and who is in them. */
export async function showChannels({ network: { dan, eve, iris }, recorder, generalId }: Tour): Promise<void> {
  const { id: stream_id } = await recorder.show(iris, createChannel, {
    name: 'design',
    description: 'How it looks',
    subscribers: [iris.userId, dan.userId],
  });
  await recorder.show(iris, findChannel, { stream: 'design' });
  await recorder.show(iris, getChannel, { stream_id });
  await recorder.show(iris, getChannelMembers, { stream_id });
  await recorder.show(iris, getChannelEmailAddress, { stream_id });
  await recorder.show(iris, listChannels, { include_public: true });
  await recorder.show(iris, updateChannel, { stream_id, description: 'How it looks and feels' });
  await recorder.show(eve, subscribe, { subscriptions: [{ name: 'design', color: '#76ce90' }] });
  await recorder.show(iris, getSubscriptionStatus, { user_id: eve.userId, stream_id });
  await recorder.show(iris, getUserChannels, { user_id: eve.userId });
  await recorder.show(eve, listSubscriptions, {});
  const color = { property: 'color', value: '#f5ce6e' } as const;
  await recorder.show(eve, updateSubscriptionProperty, { stream_id, ...color });
  await recorder.show(eve, updateSubscriptionProperties, { subscription_data: [{ stream_id, ...color }] });
  await recorder.show(eve, unsubscribe, { subscriptions: ['design'] });
  await recorder.show(eve, changeOwnSubscriptions, { add: [{ name: 'design' }], delete: [] });
  await showDefaults({ network: { iris }, recorder }, stream_id, generalId);
  await recorder.show(iris, archiveChannel, { stream_id });
}

type Owner = Pick<Tour, 'recorder'> & { network: Pick<Tour['network'], 'iris'> };

async function showDefaults({ network: { iris }, recorder }: Owner, stream_id: number, generalId: number) {
  await iris.call(removeDefaultChannel, { stream_id: generalId });
  await recorder.show(iris, addDefaultChannel, { stream_id });
  await recorder.show(iris, removeDefaultChannel, { stream_id });
  await recorder.show(iris, createDefaultChannelGroup, {
    group_name: 'Makers',
    description: 'Who makes things',
    stream_names: ['design'],
  });
  const found = await iris.callRaw({
    method: 'POST',
    path: '/api/v1/register',
    form: { fetch_event_types: '["default_stream_groups"]' },
  });
  const [group] = found.json['realm_default_stream_groups'] as [{ id: number }];
  await recorder.show(iris, updateDefaultChannelGroup, {
    group_id: group.id,
    new_description: 'Designers and builders',
  });
  await recorder.show(iris, changeDefaultChannelGroupChannels, {
    group_id: group.id,
    op: 'add',
    stream_names: ['general'],
  });
  await recorder.show(iris, removeDefaultChannelGroup, { group_id: group.id });
}

export async function showChannelFolders({ network: { iris }, recorder }: Tour): Promise<void> {
  const { channel_folder_id } = await recorder.show(iris, createChannelFolder, {
    name: 'Projects',
    description: 'One channel each',
  });
  await recorder.show(iris, updateChannelFolder, { channel_folder_id, name: 'Our projects' });
  await recorder.show(iris, listChannelFolders, {});
  await recorder.show(iris, reorderChannelFolders, { order: [channel_folder_id] });
}

export async function showGroups({ network: { dan, eve, iris }, recorder }: Tour): Promise<void> {
  const { group_id: user_group_id } = await recorder.show(iris, createGroup, {
    name: 'cooks',
    description: 'Who makes lunch',
    members: [dan.userId],
  });
  const { group_id: inner } = await iris.call(createGroup, { name: 'bakers', description: '', members: [iris.userId] });
  await recorder.show(iris, updateGroup, { user_group_id, description: 'Who makes lunch today' });
  await recorder.show(iris, changeGroupMembers, { user_group_id, add: [eve.userId], delete: [dan.userId] });
  await recorder.show(iris, changeSubgroups, { user_group_id, add: [inner] });
  await recorder.show(iris, getGroupMembers, { user_group_id });
  await recorder.show(iris, getSubgroups, { user_group_id });
  await recorder.show(iris, isGroupMember, { user_group_id, user_id: eve.userId });
  await recorder.show(iris, listGroups, {});
  await recorder.show(iris, deactivateGroup, { user_group_id });
}
