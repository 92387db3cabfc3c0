import type { Group, User } from '@parley/shared/proto';
import { exampleChannel, exampleUser } from '../../test/realm-peer';
import type { AllowedDestination } from '../content/compose-message';
import { webhookCallOf } from './prepare-message';

const bot = (id: number, facts: Partial<User> = {}) =>
  exampleUser(1, id, `Bot ${id}`, { isBot: true, botType: 3, ...facts });
const ann = exampleUser(1, 1, 'Ann');
const [hook, generic, incoming, gone] = [
  bot(2),
  bot(3, { botType: 1 }),
  bot(4, { botType: 2 }),
  bot(5, { isActive: false }),
];
const inChannel: AllowedDestination = { kind: 'channel', channel: exampleChannel(7, 'Lobby'), topic: 'x' };
const withAll: AllowedDestination = { kind: 'direct', participants: [ann, hook, generic] };
const group: Group = {
  id: 8,
  name: 'g',
  isSystem: false,
  memberIds: [1, 2, 6],
  mayBeMentioned: true,
  isDeactivated: false,
};
const everybody = [ann, hook, generic, incoming, gone];
const mentions = (mentionedUserIds: number[], mentionedGroupIds: number[] = []) => ({
  mentionedUserIds,
  mentionedGroupIds,
});

test.each<[string, User, AllowedDestination, ReturnType<typeof mentions>, object | null]>([
  ['a channel message that mentions nobody', ann, inChannel, mentions([]), null],
  ['a mention of a person', ann, inChannel, mentions([1]), null],
  ['mentions of every kind of bot', ann, inChannel, mentions([1, 2, 3, 4, 5]), { botIds: [2], groupMemberIds: [] }],
  ['a mention of a group', ann, inChannel, mentions([], [8]), { botIds: [], groupMemberIds: [1, 2, 6] }],
  ['of one that is only shown', ann, inChannel, mentions([], []), null],
  ['a direct message', ann, withAll, mentions([]), { botIds: [2], groupMemberIds: [] }],
  ['a direct message among others', ann, { ...withAll, participants: [ann, generic] }, mentions([2], [8]), null],
  ['what a bot writes', generic, inChannel, mentions([2], [8]), null],
  ['what the bot itself writes', hook, withAll, mentions([2]), null],
])('%s', (_what, sender, place, mentioned, expected) => {
  const facts = { sender, mentionedUsers: everybody, mentionedGroups: [group] };
  expect(webhookCallOf(facts, place, mentioned)).toEqual(expected);
});
