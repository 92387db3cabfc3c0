import {
  checkContentEdit,
  checkMoveOut,
  checkMoveTime,
  checkResolve,
  checkTopicEdit,
  isTooLate,
  type Rights,
  strictestLimit,
} from './permissions';

const NOW_MS = 1_000_000_000;
const SUBJECT = { senderId: 1, sentAtMs: NOW_MS - 60_000 };

function rightsOf(
  facts: Partial<Omit<Rights, 'realm' | 'channel'>> & { realm?: string[]; channel?: string[] },
): Rights {
  const { realm = [], channel = [], ...rest } = facts;
  return { actorId: 1, role: 400, nowMs: NOW_MS, ...rest, realm: new Set(realm), channel: new Set(channel) };
}

const isAllowed = (check: () => void) => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

test.each([
  [60_000, 60, false],
  [80_000, 60, false],
  [80_001, 60, true],
  [80_001, null, false],
])('after %i ms a limit of %p s has passed: %p', (ageMs, limitSecs, expected) => {
  expect(isTooLate(NOW_MS - ageMs, limitSecs, NOW_MS)).toBe(expected);
});

test.each([
  [true, 600, 1, true],
  [true, null, 1, true],
  [true, 10, 1, false],
  [false, 600, 1, false],
  [true, 600, 2, false],
])('editing is on: %p, limit %p s, by user %i: %p', (isOn, limitSecs, actorId, expected) => {
  const settings = { allow_message_editing: isOn, message_content_edit_limit_seconds: limitSecs };
  expect(isAllowed(() => checkContentEdit(SUBJECT, settings, rightsOf({ actorId, role: 100 })))).toBe(expected);
});

test.each([
  [{}, false],
  [{ realm: ['can_resolve_topics_group'] }, true],
  [{ channel: ['can_resolve_topics_group'] }, true],
])('resolving with %j: %p', (facts, expected) => {
  expect(isAllowed(() => checkResolve(rightsOf(facts)))).toBe(expected);
});

test.each([
  [{}, 600, false],
  [{ realm: ['can_move_messages_between_topics_group'] }, 600, true],
  [{ channel: ['can_move_messages_within_channel_group'] }, 600, true],
  [{ realm: ['can_move_messages_between_topics_group'] }, 10, false],
  [{ realm: ['can_move_messages_between_topics_group'], role: 300 }, 10, true],
])('moving within a channel with %j and a limit of %i s: %p', (facts, limitSecs, expected) => {
  expect(isAllowed(() => checkTopicEdit(SUBJECT, limitSecs, rightsOf(facts)))).toBe(expected);
});

test.each([
  [{}, false],
  [{ realm: ['can_move_messages_between_channels_group'] }, true],
  [{ channel: ['can_move_messages_out_of_channel_group'] }, true],
])('moving out of a channel with %j: %p', (facts, expected) => {
  expect(isAllowed(() => checkMoveOut(rightsOf(facts)))).toBe(expected);
});

test.each([
  [400, 600, true],
  [400, 10, false],
  [300, 10, true],
])('moving to another channel as role %i with a limit of %i s: %p', (role, limitSecs, expected) => {
  expect(isAllowed(() => checkMoveTime(SUBJECT, limitSecs, rightsOf({ role })))).toBe(expected);
});

test.each([
  [[null, null], null],
  [[600, null], 600],
  [[600, 60], 60],
])('of %p the strictest limit is %p', (limits, expected) => {
  expect(strictestLimit(limits)).toBe(expected);
});
