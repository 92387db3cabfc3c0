import {
  checkContentEdit,
  checkMoveOut,
  checkMoveTime,
  checkResolve,
  checkTopicEdit,
  isTooLate,
  moveLimit,
  type Rights,
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
  [{}, false],
  [{ realm: ['can_move_messages_between_topics_group'] }, true],
  [{ channel: ['can_move_messages_within_channel_group'] }, true],
])('moving within a channel with %j: %p', (facts, expected) => {
  expect(isAllowed(() => checkTopicEdit(rightsOf(facts)))).toBe(expected);
});

test.each([
  [{}, false],
  [{ realm: ['can_move_messages_between_channels_group'] }, true],
  [{ channel: ['can_move_messages_out_of_channel_group'] }, true],
])('moving out of a channel with %j: %p', (facts, expected) => {
  expect(isAllowed(() => checkMoveOut(rightsOf(facts)))).toBe(expected);
});

test.each([
  [400, true, false, 600],
  [400, false, true, 60],
  [400, true, true, 60],
  [400, false, false, null],
  [300, true, true, null],
])(
  'role %i, to another topic: %p, to another channel: %p, has the limit %p',
  (role, isToOtherTopic, isToOtherChannel, limit) => {
    const settings = {
      move_messages_within_stream_limit_seconds: 600,
      move_messages_between_streams_limit_seconds: 60,
    };
    expect(moveLimit(settings, { isToOtherTopic, isToOtherChannel }, { role })).toBe(limit);
  },
);

test('where there is no limit for one of two moves, that of the other counts', () => {
  const settings = { move_messages_within_stream_limit_seconds: null, move_messages_between_streams_limit_seconds: 60 };
  expect(moveLimit(settings, { isToOtherTopic: true, isToOtherChannel: true }, { role: 400 })).toBe(60);
});

describe('a refused move names the messages that are young enough', () => {
  const sentSecsAgo = (id: number, secs: number) => ({ id, sentAtMs: NOW_MS - secs * 1000 });
  const [old, stale, fresh] = [sentSecsAgo(1, 900), sentSecsAgo(2, 700), sentSecsAgo(3, 600)];
  const visible = [old, stale, fresh];

  test.each([
    ['the only young message', [fresh], 600, null],
    ['all of it', visible, 600, [3, 1, 3]],
    ['an old message', [old], 600, [3, 1, 3]],
    ['all of it where nothing is young', visible, 10, [null, 0, 3]],
    ['all of it without a limit', visible, null, null],
  ])('%s', (_, moving, limitSecs, expected) => {
    const [first, movable, total] = expected ?? [];
    const fields = {
      first_message_id_allowed_to_move: first,
      total_messages_allowed_to_move: movable,
      total_messages_in_topic: total,
    };
    const check = () => checkMoveTime({ moving, visible }, limitSecs, NOW_MS);
    if (expected === null) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED', fields }));
  });
});
