import { ROLES } from '@parley/shared/values';
import { hasContentAccess, hasMetadataAccess, mayReadHistory, maySubscribe } from './permissions';

const CREATOR_ID = 5;
const KINDS = {
  webPublic: { isPrivate: false, isWebPublic: true, isHistoryPublic: true, creatorId: CREATOR_ID },
  public: { isPrivate: false, isWebPublic: false, isHistoryPublic: true, creatorId: CREATOR_ID },
  shared: { isPrivate: true, isWebPublic: false, isHistoryPublic: true, creatorId: CREATOR_ID },
  protected: { isPrivate: true, isWebPublic: false, isHistoryPublic: false, creatorId: CREATOR_ID },
};

const viewer = (role: number, isSubscribed = false, id = 9) => ({ id, role, isSubscribed });
const VIEWERS = {
  owner: viewer(ROLES.owner),
  moderator: viewer(ROLES.moderator),
  member: viewer(ROLES.member),
  creator: viewer(ROLES.member, false, CREATOR_ID),
  guest: viewer(ROLES.guest),
  'creator, now a guest': viewer(ROLES.guest, false, CREATOR_ID),
  'subscribed member': viewer(ROLES.member, true),
  'subscribed guest': viewer(ROLES.guest, true),
};

const ALL = ['metadata', 'content', 'history'];
// Rows: who looks, and what they get of a web-public, public, private shared and private protected channel.
const TABLE: [keyof typeof VIEWERS, string[], string[], string[], string[]][] = [
  ['owner', ALL, ALL, ['metadata'], ['metadata']],
  ['moderator', ALL, ALL, [], []],
  ['member', ALL, ALL, [], []],
  ['creator', ALL, ALL, ['metadata'], ['metadata']],
  ['guest', ALL, [], [], []],
  ['creator, now a guest', ALL, [], [], []],
  ['subscribed member', ALL, ALL, ALL, ['metadata', 'content']],
  ['subscribed guest', ALL, ALL, ALL, ['metadata', 'content']],
];

test.each(TABLE)('what a %s may see of each kind of channel', (who, ...expected) => {
  const person = VIEWERS[who];
  const seen = Object.values(KINDS).map((channel) => [
    ...(hasMetadataAccess(channel, person) ? ['metadata'] : []),
    ...(hasContentAccess(channel, person) ? ['content'] : []),
    ...(mayReadHistory(channel, person) ? ['history'] : []),
  ]);
  expect(seen).toEqual(expected);
});

test.each([
  ['a member, to a public channel', 'public', viewer(ROLES.member), true],
  ['a member, to a private channel they are not in', 'shared', viewer(ROLES.member), false],
  ['an owner, to a private channel they are not in', 'shared', viewer(ROLES.owner), false],
  ['a member, others to a private channel they are in', 'protected', viewer(ROLES.member, true), true],
  ['a guest, to a web-public channel', 'webPublic', viewer(ROLES.guest), false],
  ['a guest, others to a channel they are in', 'public', viewer(ROLES.guest, true), false],
] as const)('who may subscribe: %s', (_who, kind, person, isAllowed) => {
  expect(maySubscribe({ ...KINDS[kind], isArchived: false }, person)).toBe(isAllowed);
  expect(maySubscribe({ ...KINDS[kind], isArchived: true }, person)).toBe(false);
});
