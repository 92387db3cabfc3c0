import type { NewChannelSettings } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { anActor } from '../../test/an-actor';
import type { ChannelMaker } from '../channel-access/access-channel';
import type { RealmGroupSettings } from '../group-settings/complete-settings';
import { namedGroup } from '../group-settings/group-setting';
import { newChannelKind } from './create-channels';

const MEMBERS = 41;
const NOBODY = 49;

const RIGHTS = {
  can_create_public_channel_group: namedGroup(MEMBERS),
  can_create_private_channel_group: namedGroup(MEMBERS),
  can_create_web_public_channel_group: namedGroup(MEMBERS),
  can_set_topics_policy_group: namedGroup(MEMBERS),
} as RealmGroupSettings;

const maker = (role: number, over: Partial<ChannelMaker> = {}): ChannelMaker => ({
  actor: anActor({ role, groupIds: [MEMBERS] }),
  rights: RIGHTS,
  areWebPublicChannelsEnabled: true,
  ...over,
});
const without = (...names: (keyof RealmGroupSettings)[]) => ({
  rights: { ...RIGHTS, ...Object.fromEntries(names.map((name) => [name, namedGroup(NOBODY)])) },
});

const NONE: NewChannelSettings = {
  isPrivate: false,
  isWebPublic: false,
  isDefault: false,
  topicsPolicy: '',
  groupSettings: {},
  isAnnounced: false,
};
const member = maker(ROLES.member);
const administrator = maker(ROLES.administrator);
const owner = maker(ROLES.owner);

test('without settings a channel is public, in no folder, and inherits from the organization', () => {
  expect(newChannelKind(NONE, member, 1_000)).toEqual({
    creatorId: 7,
    isPrivate: false,
    isWebPublic: false,
    isHistoryPublic: true,
    isDefault: false,
    topicsPolicy: 'inherit',
    messageRetentionDays: null,
    folderId: null,
    createdAtMs: 1_000,
  });
});

test.each([
  ['public', {}, true],
  ['public, asked to protect it', { isHistoryPublic: false }, true],
  ['private', { isPrivate: true }, false],
  ['private, asked to share it', { isPrivate: true, isHistoryPublic: true }, true],
])('the history of a channel that is %s', (_kind, settings, isHistoryPublic) => {
  expect(newChannelKind({ ...NONE, ...settings }, member, 0)).toMatchObject({ isHistoryPublic });
});

test.each<[string, Partial<NewChannelSettings>, ChannelMaker, string]>([
  [
    'who may not make public channels',
    { isDefault: true },
    maker(ROLES.owner, without('can_create_public_channel_group')),
    'Insufficient permission',
  ],
  [
    'who may not make private channels',
    { isPrivate: true },
    maker(ROLES.owner, without('can_create_private_channel_group')),
    'Insufficient permission',
  ],
  ['default channels, of a member', { isDefault: true, isPrivate: true }, member, 'Insufficient permission'],
  [
    'a private default channel',
    { isDefault: true, isPrivate: true },
    administrator,
    'A default channel cannot be private.',
  ],
  ['a private channel for visitors', { isWebPublic: true, isPrivate: true }, owner, 'Invalid parameters'],
  [
    'channels for visitors, where there are none',
    { isWebPublic: true },
    maker(ROLES.owner, { areWebPublicChannelsEnabled: false, ...without('can_create_web_public_channel_group') }),
    'Web-public channels are not enabled.',
  ],
  [
    'channels for visitors, of who may not make them',
    { isWebPublic: true },
    maker(ROLES.owner, without('can_create_web_public_channel_group')),
    'Insufficient permission',
  ],
  [
    'a retention, of an administrator',
    { messageRetention: 'nonsense' },
    administrator,
    'Must be an organization owner',
  ],
  ['a retention that is none', { messageRetention: '0' }, owner, "Bad value for 'message_retention_days': 0"],
  ['an unknown policy', { topicsPolicy: 'whatever' }, administrator, 'Invalid topics_policy'],
  [
    'a policy of its own, of who may not set any',
    { topicsPolicy: 'empty_topic_only' },
    maker(ROLES.owner, without('can_set_topics_policy_group')),
    'Insufficient permission',
  ],
])('refused: %s', (_what, settings, who, message) => {
  expect(() => newChannelKind({ ...NONE, ...settings }, who, 0)).toThrow(message);
});

test.each([
  ['realm_default', null],
  ['"realm_default"', null],
  ['unlimited', -1],
  ['"unlimited"', -1],
  ['30', 30],
])('a retention of %s', (messageRetention, messageRetentionDays) => {
  expect(newChannelKind({ ...NONE, messageRetention }, owner, 0)).toMatchObject({ messageRetentionDays });
});
