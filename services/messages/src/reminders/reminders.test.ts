import type { User } from '@parley/shared/proto';
import { codePointLength } from '@parley/shared/values';
import { reminderText } from './reminders';

const ann = { id: 7, fullName: 'Ann' } as User;
const bob = { id: 9, fullName: 'Bob' } as User;
const inChannel = {
  id: 12,
  sender: ann,
  channelId: 3,
  channelName: 'general',
  participants: [],
  topic: 'lunch',
  content: 'Soup?',
};
const direct = { id: 12, sender: ann, channelName: '', participants: [ann, bob], topic: '', content: 'Soup?' };
const LINK = '/#narrow/channel/3-general/topic/lunch/near/12';

test('a channel message is named, linked and quoted', () => {
  expect(reminderText(inChannel, '')).toBe(
    [
      'You requested a reminder for #**general>lunch@12**.',
      '',
      `@_**Ann|7** [said](${LINK}):`,
      '````quote',
      'Soup?',
      '````',
    ].join('\n'),
  );
});

test('a note stands before the message', () => {
  expect(reminderText(inChannel, 'Ask\nagain').split('\n').slice(0, 4)).toEqual([
    'You requested a reminder for #**general>lunch@12**. Note:',
    '> Ask',
    '> again',
    '',
  ]);
});

test('a direct message is linked by its participants', () => {
  const [first, , said] = reminderText(direct, '').split('\n');
  expect(first).toBe('You requested a reminder for the following direct message.');
  expect(said).toBe('@_**Ann|7** [said](/#narrow/dm/7,9-dm/near/12):');
});

test.each([
  ['/poll Soup?', 'a poll'],
  ['/todo Shopping', 'a todo list'],
])('%j is not quoted: it is %s', (content, name) => {
  expect(reminderText({ ...inChannel, content }, '')).toMatch(`@_**Ann|7** [sent](${LINK}) ${name}.`);
});

test.each([
  ['a*b', 'lunch'],
  ['general', 'x**y'],
  ['general', '`x`'],
])('what a link cannot hold (%s > %s) is linked by its address', (channelName, topic) => {
  expect(reminderText({ ...inChannel, channelName, topic }, '')).toMatch(
    /^You requested a reminder for \[a message\]\(\//,
  );
});

test.each([['x'.repeat(10_000)], ['😀`````'.repeat(1_600)]])(
  'a long message is cut so that the whole fits',
  (content) => {
    const text = reminderText({ ...inChannel, content }, 'n'.repeat(1_000));
    expect(codePointLength(text)).toBeLessThanOrEqual(10_000);
    expect(text).toMatch(/\[message truncated\]\n`{4,}$/);
  },
);
