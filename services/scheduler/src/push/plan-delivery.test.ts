import type { Message } from '@parley/shared/proto';
import type { PushRow } from './deliveries.sql';
import { planDelivery, SUMMARY } from './plan-delivery';

const NOW_MS = 100 * 24 * 60 * 60_000;
const HOUR_MS = 3_600_000;

const row = (messageId: number, over: Partial<PushRow> = {}): PushRow => ({
  ...{ messageId, trigger: 'mentioned', tag: null, isDue: true, revision: 1, queuedAtMs: NOW_MS },
  ...over,
});
const message = (id: number, over: Partial<Message> = {}): Message =>
  ({ id, channelId: 5, topic: 'Lunch', participants: [], flags: [], ...over }) as unknown as Message;
const shownAs = (tag: string) => ({ tag, isDue: false });

function plan(rows: PushRow[], messages: Message[]) {
  const { notifications, shown, endedIds } = planDelivery(
    rows,
    new Map(messages.map((each) => [each.id, each])),
    NOW_MS,
  );
  return {
    notifications: notifications.map(({ tag, messages: inIt, isNew }) => [
      tag,
      inIt.map((each) => each.message.id),
      isNew,
    ]),
    shown: shown.map((each) => [each.message.id, each.tag]),
    endedIds,
  };
}

const LUNCH = 'channel/5/lunch';

test.each([
  ['a new message notifies', [row(1)], [message(1)], [[LUNCH, [1], true]], []],
  [
    'those of one conversation together, oldest first',
    [row(2), row(1)],
    [message(1), message(2)],
    [[LUNCH, [1, 2], true]],
    [],
  ],
  [
    'a new one beside one that is shown',
    [row(2), row(1, shownAs(LUNCH))],
    [message(1), message(2)],
    [[LUNCH, [1, 2], true]],
    [],
  ],
  ['one that was read meanwhile does not', [row(1)], [message(1, { flags: ['read'] })], [], [1]],
  ['nor one whose mention was taken back', [row(1, { trigger: 'mention' })], [message(1)], [], [1]],
  [
    'one that still mentions the reader does',
    [row(1, { trigger: 'mention' })],
    [message(1, { flags: ['mentioned'] })],
    [[LUNCH, [1], true]],
    [],
  ],
  ['nor one that was deleted or hidden', [row(1)], [], [], [1]],
  ['nor one that is a day old', [row(1, { queuedAtMs: NOW_MS - 24 * HOUR_MS })], [message(1)], [], [1]],
  ['an old one that is shown stays', [row(1, { ...shownAs(LUNCH), queuedAtMs: 0 })], [message(1)], [], []],
  [
    'one that is shown is taken back when it is read',
    [row(1, { tag: LUNCH })],
    [message(1, { flags: ['read'] })],
    [[LUNCH, [], false]],
    [1],
  ],
  [
    'of two the other one stays, without a sound',
    [row(2, { tag: LUNCH }), row(1, { tag: LUNCH })],
    [message(1, { flags: ['read'] }), message(2)],
    [[LUNCH, [2], false]],
    [1],
  ],
  [
    'a moved one changes both places',
    [row(2, shownAs(LUNCH)), row(1, { tag: LUNCH })],
    [message(1, { topic: 'soup' }), message(2)],
    [
      ['channel/5/soup', [1], false],
      [LUNCH, [2], false],
    ],
    [],
  ],
  ['what has not changed is not sent', [row(1, { tag: LUNCH })], [message(1)], [], []],
])('%s', (_name, rows, messages, notifications, endedIds) => {
  expect(plan(rows, messages)).toMatchObject({ notifications, endedIds });
});

test('many conversations share one notification, and what is in it stays there', () => {
  const ids = [1, 2, 3, 4, 5, 6];
  const messages = ids.map((id) => message(id, { topic: `topic ${id}` }));
  const first = plan(
    ids.map((id) => row(id)),
    messages,
  );
  expect(first.notifications).toEqual([[SUMMARY, ids, true]]);
  const rows = ids.map((id) => row(id, { tag: SUMMARY }));
  const later = plan(rows, messages.slice(1));
  expect(later.notifications).toEqual([[SUMMARY, ids.slice(1), false]]);
  expect(plan([...rows, row(7)], [...messages, message(7, { topic: 'topic 1' })]).notifications).toEqual([
    ['channel/5/topic 1', [7], true],
  ]);
});

test('direct conversations are those of their participants', () => {
  const participants = [{ id: 3 }, { id: 9 }] as Message['participants'];
  const { channelId: _, ...direct } = message(1, { participants, topic: '' });
  expect(plan([row(1)], [direct]).shown).toEqual([[1, 'dm/3,9']]);
});
