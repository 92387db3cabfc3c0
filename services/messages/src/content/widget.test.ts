import { widgetOf } from './widget';

const poll = (question: string, ...options: string[]) => ({ widget_type: 'poll', extra_data: { question, options } });
const todo = (title: string, ...tasks: { task: string; desc: string }[]) => ({
  widget_type: 'todo',
  extra_data: { task_list_title: title, tasks },
});

test.each([
  ['a message', null],
  ['/polls are fun', null],
  ['we /poll', null],
  ['/poll', poll('')],
  ['/poll Lunch?', poll('Lunch?')],
  ['/poll  Lunch? \n* soup\n\n- salad\n bread ', poll('Lunch?', 'soup', 'salad', 'bread')],
  ['/poll\n** two', poll('', '* two')],
  ['/todo', todo('')],
  [
    '/todo Shop\nmilk: two: litres\nbread',
    todo('Shop', { task: 'milk', desc: 'two: litres' }, { task: 'bread', desc: '' }),
  ],
])('%j', (content, expected) => {
  expect(widgetOf(content)).toEqual(expected);
});
