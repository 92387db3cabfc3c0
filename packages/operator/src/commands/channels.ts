import { CHANNEL_PERMISSION_SETTINGS } from '@parley/shared/access';
import { BadRequestError } from '@parley/shared/errors';
import type { Channel } from '@parley/shared/proto';
import type { Caller, RpcClient } from '@parley/shared/rpc';
import { command } from '../command/command';
import { as, operatedIds, operatedRealm } from '../command/operated';
import { decision, list, oneOf, realm, text, withoutUndefined } from '../command/options';
import { areHoldersNamed, holders, permissionFor } from '../command/permission-holders';
import { timeOf } from '../command/present';

const name = text('NAME');
const users = list('EMAIL,EMAIL');
const PERMISSIONS = Object.keys(CHANNEL_PERMISSION_SETTINGS) as [string, ...string[]];

export const channelList = command({
  services: ['realm'],
  summary: 'lists the channels of an organization, private and archived ones too',
  options: { realm },
  async run({ realm: service }, named) {
    const { actor } = await operatedRealm(service, named);
    const { channels } = await service.getChannelObjects(actor, { knownVersion: '' });
    return { channels: channels.map(({ json }) => publicObject(JSON.parse(String(json)))) };
  },
});

/** A channel, as the API has it. */
interface ChannelObject {
  stream_id: number;
  name: string;
  invite_only: boolean;
  is_web_public: boolean;
  is_archived: boolean;
  subscriber_count: number;
}

function publicObject(channel: ChannelObject) {
  return {
    channel_id: channel.stream_id,
    name: channel.name,
    is_private: channel.invite_only,
    is_web_public: channel.is_web_public,
    is_archived: channel.is_archived,
    subscribers: channel.subscriber_count,
  };
}

export const channelShow = command({
  services: ['realm'],
  summary: 'shows a channel visible to the user the command acts as',
  options: { realm, name, as },
  async run({ realm: service }, { name, ...named }) {
    const { actor } = await operatedRealm(service, named);
    return publicChannel(await service.getChannel(actor, { channelId: await idOf(service, actor, name) }));
  },
});

function publicChannel(channel: Channel) {
  return {
    channel_id: channel.id,
    name: channel.name,
    description: channel.description,
    is_private: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_history_public: channel.isHistoryPublic,
    is_archived: channel.isArchived,
    subscribers: channel.subscriberCount,
    created_at: timeOf(channel.createdAtMs),
  };
}

export const channelCreate = command({
  services: ['realm'],
  summary: 'makes a channel, and subscribes people to it',
  options: {
    ...{ realm, name, description: text('TEXT').optional(), private: decision().optional(), users: users.optional() },
    as,
  },
  examples: [
    "--realm acme --name announcements --description 'What is new'",
    '--realm acme --name board --private yes --users ada@acme.org,bo@acme.org',
  ],
  async run({ realm: service }, { name, description = '', private: isPrivate = false, users = [], ...named }) {
    // Only subscribers could add others later.
    if (isPrivate && users.length === 0) throw new Error('a private channel needs --users: somebody who may read it');
    const { actor } = await operatedRealm(service, named);
    const subscriberIds = await operatedIds(service, named.realm, users);
    const settings = {
      isPrivate,
      isWebPublic: false,
      isDefault: false,
      topicsPolicy: 'inherit',
      groupSettings: {},
      isAnnounced: false,
    };
    const { channelId } = await service.createChannel(actor, { name, description, subscriberIds, settings });
    return { channel_id: channelId };
  },
});

export const channelArchive = command({
  services: ['realm'],
  summary: 'puts a channel out of use',
  options: { realm, name, as },
  async run({ realm: service }, { name, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const channelId = await idOf(service, actor, name);
    await service.archiveChannel(actor, { channelId });
    return { channel_id: channelId };
  },
});

export const channelRestore = command({
  services: ['realm'],
  summary: 'takes an archived channel into use again, with those who were subscribed to it',
  options: { realm, name, as },
  examples: ['--realm acme --name announcements'],
  async run({ realm: service }, { name, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const channelId = await idOf(service, actor, name);
    await service.updateChannel(actor, { channelId, isArchived: false, groupSettings: {}, hasNamedTopics: false });
    return { channel_id: channelId };
  },
});

export const channelSet = command({
  services: ['realm'],
  summary: 'changes the name, the description, the privacy or a permission of a channel',
  options: {
    realm,
    name,
    'new-name': text('NAME').optional(),
    description: text('TEXT').optional(),
    private: decision().optional(),
    setting: oneOf(PERMISSIONS).optional(),
    ...holders,
    as,
  },
  examples: [
    '--realm acme --name announcements --setting can_send_message_group --groups role:administrators',
    "--realm acme --name lunch --new-name soup --description 'What there is'",
  ],
  async run({ realm: service }, { name, 'new-name': newName, description, private: isPrivate, setting, ...to }) {
    const changes = withoutUndefined({ newName, description, isPrivate });
    if ((setting !== undefined) !== areHoldersNamed(to))
      throw new Error('--setting goes with --groups, --users or both');
    if (setting === undefined && Object.keys(changes).length === 0)
      throw new Error('nothing to change: give --new-name, --description, --private or --setting');
    const { actor } = await operatedRealm(service, to);
    const channelId = await idOf(service, actor, name);
    const groupSettings = setting === undefined ? {} : { [setting]: await permissionFor(service, actor, to) };
    await service.updateChannel(actor, { channelId, ...changes, groupSettings, hasNamedTopics: false });
    return { channel_id: channelId };
  },
});

async function idOf(service: RpcClient<'realm'>, actor: Caller, name: string): Promise<number> {
  try {
    return (await service.findChannel(actor, { name })).channelId;
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    throw new Error(`there is no channel "${name}" visible to the user the command acts as; see channel list`);
  }
}

export const channelAdd = command({
  services: ['realm'],
  summary: 'subscribes people to a channel; those subscribed already stay so',
  options: { realm, name, users, as },
  examples: ['--realm acme --name announcements --users bo@acme.org,di@acme.org'],
  async run({ realm: service }, { name, users: emails, ...named }) {
    const { actor } = await operatedRealm(service, named);
    // Subscribing would create a channel that does not exist.
    const channelId = await idOf(service, actor, name);
    const { subscribed } = await service.subscribe(actor, {
      channels: [{ name, description: '', color: '' }],
      principalIds: await operatedIds(service, named.realm, emails),
      principalEmails: [],
      areAuthorizationErrorsFatal: true,
      newChannel: null,
      sendsNotices: false,
    });
    return { channel_id: channelId, added: subscribed.length };
  },
});

export const channelRemove = command({
  services: ['realm'],
  summary: 'ends the subscriptions of people to a channel',
  options: { realm, name, users, as },
  examples: ['--realm acme --name announcements --users bo@acme.org'],
  async run({ realm: service }, { name, users: emails, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const channelId = await idOf(service, actor, name);
    const principalIds = await operatedIds(service, named.realm, emails);
    const { removed } = await service.unsubscribe(actor, { channelNames: [name], principalIds, principalEmails: [] });
    return { channel_id: channelId, removed: removed.length };
  },
});
