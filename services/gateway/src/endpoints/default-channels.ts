import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { json, pathId, text } from '../http/parameters';

export const addDefaultChannel = endpoint({
  method: 'POST',
  path: '/default_streams',
  summary: 'Subscribe people who are new to a channel',
  auth: 'user',
  parameters: { stream_id: json(z.int()) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { stream_id: channelId }) {
    await services.realm.addDefaultChannel(call, { channelId });
    return {};
  },
});

export const removeDefaultChannel = endpoint({
  method: 'DELETE',
  path: '/default_streams',
  summary: 'Subscribe people who are new to a channel no more',
  auth: 'user',
  parameters: { stream_id: json(z.int()) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { stream_id: channelId }) {
    await services.realm.removeDefaultChannel(call, { channelId });
    return {};
  },
});

export const createDefaultChannelGroup = endpoint({
  method: 'POST',
  path: '/default_stream_groups/create',
  summary: 'Make a set of channels for people who join',
  auth: 'user',
  parameters: {
    group_name: text(z.string()),
    description: text(z.string()),
    stream_names: json(z.array(z.string())),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { group_name: name, description, stream_names: channelNames }) {
    await services.realm.createDefaultChannelGroup(call, { name, description, channelNames });
    return {};
  },
});

export const updateDefaultChannelGroup = endpoint({
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}',
  summary: 'Rename or describe a set of channels for people who join',
  auth: 'user',
  parameters: {
    group_id: pathId(),
    new_group_name: text(z.string().optional()),
    new_description: text(z.string().optional()),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { group_id: id, new_group_name: name, new_description: description }) {
    await services.realm.updateDefaultChannelGroup(call, {
      id,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    });
    return {};
  },
});

export const changeDefaultChannelGroupChannels = endpoint({
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}/streams',
  summary: 'Put channels into a set for people who join, or take them out',
  auth: 'user',
  parameters: {
    group_id: pathId(),
    op: text(z.string().describe('add or remove.')),
    stream_names: json(z.array(z.string())),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { group_id: id, op, stream_names: channelNames }) {
    if (op !== 'add' && op !== 'remove') {
      throw new BadRequestError('Invalid value for "op". Specify one of "add" or "remove".');
    }
    await services.realm.changeDefaultChannelGroupChannels(call, { id, areAdded: op === 'add', channelNames });
    return {};
  },
});

export const removeDefaultChannelGroup = endpoint({
  method: 'DELETE',
  path: '/default_stream_groups/{group_id}',
  summary: 'Do away with a set of channels for people who join',
  auth: 'user',
  parameters: { group_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { group_id: id }) {
    await services.realm.removeDefaultChannelGroup(call, { id });
    return {};
  },
});
