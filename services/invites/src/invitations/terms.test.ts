import type { InviteChannel, InviteGroup } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { checkContent, checkTerms } from './terms';

const byDefault: InviteChannel = { id: 1, isDefault: true, mayAddSubscribers: false };
const own: InviteChannel = { id: 2, isDefault: false, mayAddSubscribers: true };
const readOnly: InviteChannel = { id: 3, isDefault: false, mayAddSubscribers: false };
const open: InviteGroup = { id: 7, isDeactivated: false, mayAddMembers: true };
const closed: InviteGroup = { id: 8, isDeactivated: false, mayAddMembers: false };
const former: InviteGroup = { id: 9, isDeactivated: true, mayAddMembers: true };

const NO_RIGHT = 'You do not have permission to subscribe other users to channels.';

test.each<[string, number[], number[], string | null]>([
  ['no channels', [], [], null],
  ['a default channel without the right', [1], [], null],
  ['a channel that the inviter may add to', [1, 2], [], null],
  ['one that they may only read', [2, 3], [], NO_RIGHT],
  ['an unknown one, which comes first', [3, 99, 98], [], 'Invalid channel ID 99. No invites were sent.'],
  ['channels are looked at before groups', [3], [98], NO_RIGHT],
  ['a group', [], [7], null],
  ['a group that others fill', [], [7, 8], 'Insufficient permission'],
  ['a deactivated one', [], [9], 'User group is deactivated.'],
  ['an unknown one', [], [98, 8], 'Invalid user group'],
])('%s', (_what, channelIds, groupIds, refusal) => {
  const channels = [byDefault, own, readOnly].filter(({ id }) => channelIds.includes(id));
  const groups = [open, closed, former].filter(({ id }) => groupIds.includes(id));
  const check = () => checkContent({ channelIds, groupIds }, { channels, groups });
  if (refusal === null) expect(check).not.toThrow();
  else expect(check).toThrow(new Error(refusal));
});

test.each<[string, number, number | undefined, string | null]>([
  ['the usual validity', ROLES.member, undefined, null],
  ['a minute', ROLES.owner, 1, null],
  ['a hundred years', ROLES.guest, 52_560_000, null],
  ['more', ROLES.guest, 52_560_001, 'An invitation is valid for at least a minute, and for a hundred years at most'],
  ['none', ROLES.guest, 0, 'An invitation is valid for at least a minute, and for a hundred years at most'],
  ['a role between two', 450, undefined, 'Invalid role'],
  ['a role above all', 50, undefined, 'Invalid role'],
])('the validity and the role: %s', (_what, invitedAs, validMinutes, refusal) => {
  const check = () => checkTerms({ invitedAs, ...(validMinutes !== undefined && { validMinutes }) });
  if (refusal === null) expect(check).not.toThrow();
  else expect(check).toThrow(new Error(refusal));
});

test.each<[string, string | undefined, string | null]>([
  ['none', undefined, null],
  ['lines and tabs', 'Welcome,\n\tDan 😀', null],
  ['a null byte', '😀\n\0', 'Invalid character in welcome_message_custom_text, at position 3.'],
])('the welcome text: %s', (_what, welcomeText, refusal) => {
  const check = () => checkTerms({ invitedAs: ROLES.member, ...(welcomeText !== undefined && { welcomeText }) });
  if (refusal === null) expect(check).not.toThrow();
  else expect(check).toThrow(new Error(refusal));
});
