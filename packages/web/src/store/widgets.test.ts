import type { Submessage } from './messages';
import { nextIndex, widgetOf } from './widgets';

const part = (sender_id: number, data: unknown, id = 0): Submessage => ({
  ...{ id, sender_id, msg_type: 'widget' },
  content: JSON.stringify(data),
});
const poll = part(9, { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['Soup', 'Salad'] } });
const todo = part(9, {
  widget_type: 'todo',
  extra_data: { task_list_title: 'Party', tasks: [{ task: 'Cake', desc: 'chocolate' }] },
});
const after = (...parts: Submessage[]) => parts.map((each, at) => ({ ...each, id: at + 1 }));

test('a poll counts who chose what, with options that were added', () => {
  const votes = after(
    part(11, { type: 'vote', key: 'canned,0', vote: 1 }),
    part(12, { type: 'vote', key: 'canned,0', vote: 1 }),
    part(11, { type: 'vote', key: 'canned,0', vote: -1 }),
    part(11, { type: 'new_option', option: 'Stew', idx: 0 }),
    part(12, { type: 'new_option', option: 'Soup', idx: 0 }),
    part(11, { type: 'vote', key: '11,0', vote: 1 }),
    part(9, { type: 'question', question: 'Dinner?' }),
  );
  expect(widgetOf([poll, ...votes])).toEqual({
    kind: 'poll',
    question: 'Dinner?',
    options: [
      { key: 'canned,0', text: 'Soup', voterIds: [12] },
      { key: 'canned,1', text: 'Salad', voterIds: [] },
      { key: '11,0', text: 'Stew', voterIds: [11] },
    ],
  });
});

test('a to-do list has the tasks that were added, done or not', () => {
  const changes = after(
    part(11, { type: 'new_task', key: 0, task: 'Music', desc: '', completed: false }),
    part(12, { type: 'strike', key: 'canned,0' }),
    part(12, { type: 'strike', key: '11,0' }),
    part(11, { type: 'strike', key: '11,0' }),
    part(9, { type: 'new_task_list_title', title: 'Big party' }),
  );
  expect(widgetOf([todo, ...changes])).toEqual({
    kind: 'todo',
    title: 'Big party',
    tasks: [
      { key: 'canned,0', task: 'Cake', details: 'chocolate', isDone: true },
      { key: '11,0', task: 'Music', details: '', isDone: false },
    ],
  });
});

test.each<[string, Submessage[]]>([
  ['none', []],
  ['another kind', [part(9, { widget_type: 'zform' })]],
  ['no JSON', [{ id: 1, sender_id: 9, msg_type: 'widget', content: '{' }]],
])('submessages that are no widget: %s', (_, parts) => {
  expect(widgetOf(parts)).toBeNull();
});

test.each([
  [[], 0],
  [['canned,0', '9,4'], 0],
  [['11,0', '11,3'], 4],
])('after %j one’s own next number is %i', (keys, next) => {
  expect(nextIndex(keys, 11)).toBe(next);
});
