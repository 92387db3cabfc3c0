import { ROLES } from '@parley/shared/values';
import { newChannelKind } from './new-channel-kind';

const NONE = { isPrivate: false, isWebPublic: false, isDefault: false, topicsPolicy: '' };
const member = { id: 7, role: ROLES.member };
const administrator = { id: 8, role: ROLES.administrator };

test('without settings a channel is public and inherits the topics policy', () => {
  expect(newChannelKind(null, member, 1_000)).toEqual({
    creatorId: 7,
    isPrivate: false,
    isHistoryPublic: true,
    isDefault: false,
    topicsPolicy: 'inherit',
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

test.each([
  [
    'default channels are for administrators to make',
    { isDefault: true, isPrivate: true },
    member,
    'Insufficient permission',
  ],
  [
    'a default channel is open',
    { isDefault: true, isPrivate: true },
    administrator,
    'A default channel cannot be private.',
  ],
  ['nobody visits without an account', { isWebPublic: true }, administrator, 'Web-public channels are not enabled.'],
  ['policies are four', { topicsPolicy: 'whatever' }, administrator, 'Invalid topics_policy'],
])('%s', (_why, settings, creator, message) => {
  expect(() => newChannelKind({ ...NONE, ...settings }, creator, 0)).toThrow(message);
});
