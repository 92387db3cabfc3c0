import { afterParticipation, policiesOnSend } from './automatic-policy';

const habits = (followPolicy: number, unmutePolicy: number, isChannelMuted: boolean) => ({
  followPolicy,
  unmutePolicy,
  isChannelMuted,
});

test.each([
  ['who follows on participation', habits(1, 4, false), 3, null],
  ['who follows on sending', habits(2, 4, false), 3, null],
  ['who follows what they begin', habits(3, 4, false), null, 3],
  ['who follows nothing', habits(4, 2, false), null, null],
  ['who unmutes on sending, in a muted channel', habits(4, 2, true), 2, null],
  ['who unmutes on participation, in a muted channel', habits(4, 1, true), 2, null],
  ['who unmutes what they begin, in a muted channel', habits(4, 3, true), null, 2],
  ['who follows what they begin and unmutes on sending', habits(3, 2, true), 2, 3],
  ['who follows and unmutes what they begin', habits(3, 3, true), null, 3],
  ['who follows on sending in a muted channel', habits(2, 2, true), 3, null],
])('sending, of somebody %s', (_, facts, onSend, onInitiation) => {
  expect(policiesOnSend(facts)).toEqual({ onSend, onInitiation });
});

test.each([
  ['a followed topic stays followed', 3, habits(4, 1, true), 3],
  ['who follows on participation follows', 1, habits(1, 4, false), 3],
  ['sending is more than participation', 0, habits(2, 2, true), 0],
  ['a muted channel’s topic is unmuted', 1, habits(4, 1, true), 2],
  ['elsewhere there is nothing to unmute', 1, habits(4, 1, false), 1],
])('participating: %s', (_, policy, facts, expected) => {
  expect(afterParticipation(policy, facts)).toBe(expected);
});
