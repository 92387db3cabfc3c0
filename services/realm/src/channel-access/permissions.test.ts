import type { ChannelPermissionName } from '@parley/shared/access';
import { ROLES } from '@parley/shared/values';
import {
  hasContentAccess,
  hasMetadataAccess,
  mayAddSubscribers,
  mayAdminister,
  mayPost,
  mayReadHistory,
  mayRemoveSubscribers,
  maySubscribe,
  type Viewer,
} from './permissions';

const KINDS = {
  webPublic: { isPrivate: false, isWebPublic: true, isHistoryPublic: true, isArchived: false },
  public: { isPrivate: false, isWebPublic: false, isHistoryPublic: true, isArchived: false },
  shared: { isPrivate: true, isWebPublic: false, isHistoryPublic: true, isArchived: false },
  protected: { isPrivate: true, isWebPublic: false, isHistoryPublic: false, isArchived: false },
};

const viewer = (role: number, isSubscribed = false, ...holds: ChannelPermissionName[]): Viewer => ({
  role,
  isSubscribed,
  holds: new Set(holds),
});
const VIEWERS = {
  owner: viewer(ROLES.owner),
  administrator: viewer(ROLES.administrator),
  moderator: viewer(ROLES.moderator),
  member: viewer(ROLES.member),
  guest: viewer(ROLES.guest),
  'subscribed member': viewer(ROLES.member, true),
  'subscribed guest': viewer(ROLES.guest, true),
  'member who administers it': viewer(ROLES.member, false, 'can_administer_channel_group'),
  'member who may add': viewer(ROLES.member, false, 'can_add_subscribers_group'),
  'member who may join': viewer(ROLES.member, false, 'can_subscribe_group'),
  'guest in every group': viewer(
    ROLES.guest,
    false,
    'can_administer_channel_group',
    'can_add_subscribers_group',
    'can_subscribe_group',
  ),
  'member in groups of other settings': viewer(
    ROLES.member,
    false,
    'can_send_message_group',
    'can_remove_subscribers_group',
  ),
};

const ALL = ['metadata', 'content', 'history'];
// Rows: viewer; access to a web-public, public, private shared and private protected channel.
const SIGHT: [keyof typeof VIEWERS, string[], string[], string[], string[]][] = [
  ['owner', ALL, ALL, ['metadata'], ['metadata']],
  ['administrator', ALL, ALL, ['metadata'], ['metadata']],
  ['moderator', ALL, ALL, [], []],
  ['member', ALL, ALL, [], []],
  ['guest', ALL, [], [], []],
  ['subscribed member', ALL, ALL, ALL, ['metadata', 'content']],
  ['subscribed guest', ALL, ALL, ALL, ['metadata', 'content']],
  ['member who administers it', ALL, ALL, ['metadata'], ['metadata']],
  ['member who may add', ALL, ALL, ALL, ['metadata', 'content']],
  ['member who may join', ALL, ALL, ALL, ['metadata', 'content']],
  ['guest in every group', ALL, [], [], []],
  ['member in groups of other settings', ALL, ALL, [], []],
];

test.each(SIGHT)('visibility of each kind of channel for a %s', (who, ...expected) => {
  const person = VIEWERS[who];
  const seen = Object.values(KINDS).map((channel) => [
    ...(hasMetadataAccess(channel, person) ? ['metadata'] : []),
    ...(hasContentAccess(channel, person) ? ['content'] : []),
    ...(mayReadHistory(channel, person) ? ['history'] : []),
  ]);
  expect(seen).toEqual(expected);
});

// Rows: actor; actions allowed in a web-public, public, private shared and private protected channel: j(oin), a(dd others), r(emove
// others), m(anage).
const ACTIONS: [keyof typeof VIEWERS, string, string, string, string][] = [
  ['owner', 'jarm', 'jarm', 'rm', 'rm'],
  ['administrator', 'jarm', 'jarm', 'rm', 'rm'],
  ['moderator', 'j', 'j', '', ''],
  ['member', 'j', 'j', '', ''],
  ['guest', '', '', '', ''],
  ['subscribed member', 'j', 'j', 'j', 'j'],
  ['subscribed guest', '', '', '', ''],
  ['member who administers it', 'jarm', 'jarm', 'rm', 'rm'],
  ['member who may add', 'ja', 'ja', 'ja', 'ja'],
  ['member who may join', 'j', 'j', 'j', 'j'],
  ['member in groups of other settings', 'jr', 'jr', '', ''],
];

test.each(ACTIONS)('actions of a %s in each kind of channel', (who, ...expected) => {
  const person = VIEWERS[who];
  const done = Object.values(KINDS).map((channel) =>
    [
      maySubscribe(channel, person) ? 'j' : '',
      mayAddSubscribers(channel, person, false) ? 'a' : '',
      mayRemoveSubscribers(channel, person) ? 'r' : '',
      mayAdminister(channel, person) ? 'm' : '',
    ].join(''),
  );
  expect(done).toEqual(expected);
});

test('the organization’s right to add subscribers covers channels that the user may read only', () => {
  const added = (person: Viewer) => Object.values(KINDS).map((channel) => mayAddSubscribers(channel, person, true));
  expect(added(VIEWERS.member)).toEqual([true, true, false, false]);
  expect(added(VIEWERS.owner)).toEqual([true, true, false, false]);
  expect(added(VIEWERS['subscribed member'])).toEqual([true, true, true, true]);
  expect(added(VIEWERS['subscribed guest'])).toEqual([false, false, false, false]);
});

test('an archived channel accepts no subscribers and no messages', () => {
  const archived = { ...KINDS.public, isArchived: true };
  expect(maySubscribe(archived, VIEWERS.owner)).toBe(false);
  expect(mayAddSubscribers(archived, VIEWERS.owner, true)).toBe(false);
  expect(mayPost(archived, viewer(ROLES.owner, true, 'can_send_message_group'), null)).toBe(false);
  expect(mayAdminister(archived, VIEWERS.owner)).toBe(true);
});

describe('posting', () => {
  const SEND = 'can_send_message_group';
  // Rows: sender; may post in a web-public, public, private shared and private protected channel.
  test.each<[string, Viewer, Viewer | null, boolean[]]>([
    ['a member', viewer(ROLES.member, false, SEND), null, [true, true, false, false]],
    ['an owner', viewer(ROLES.owner, false, SEND), null, [true, true, false, false]],
    ['a guest', viewer(ROLES.guest, false, SEND), null, [true, false, false, false]],
    ['a subscribed guest', viewer(ROLES.guest, true, SEND), null, [true, true, true, true]],
    ['whoever may join', viewer(ROLES.member, false, SEND, 'can_subscribe_group'), null, [true, true, true, false]],
    [
      'whoever may add',
      viewer(ROLES.member, false, SEND, 'can_add_subscribers_group'),
      null,
      [true, true, true, false],
    ],
    ['a subscriber who may not post', viewer(ROLES.owner, true), null, [false, false, false, false]],
    ['a bot of a subscriber', viewer(ROLES.member, false, SEND), viewer(ROLES.member, true), [true, true, true, true]],
    [
      'a bot of whoever may post',
      viewer(ROLES.member, true),
      viewer(ROLES.member, false, SEND),
      [true, true, true, true],
    ],
    ['a guest bot of a member', viewer(ROLES.guest), viewer(ROLES.member, false, SEND), [true, false, false, false]],
  ])('%s', (_who, sender, owner, expected) => {
    expect(Object.values(KINDS).map((channel) => mayPost(channel, sender, owner))).toEqual(expected);
  });
});
