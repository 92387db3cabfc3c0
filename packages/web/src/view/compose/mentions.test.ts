import { mentionsIn } from './mentions';

const nothing = { people: [], everybody: false, channels: [] };

test.each([
  [
    'Hello @**Dan Hopper** and @**Eve|7**, see #**general>lunch**',
    { people: ['Dan Hopper', 7], everybody: false, channels: ['general'] },
  ],
  ['@**all** look', { ...nothing, everybody: true }],
  ['@**topic** @_**Dan** @*group*', nothing],
  ['`@**Dan**` and\n```\n@**all**\n```', nothing],
  ['```\n@**all**', nothing],
  ['```spoiler x\n@**Dan**\n```', { ...nothing, people: ['Dan'] }],
  ['a@**Dan**', nothing],
  ['@**Dan** @**Dan**', { ...nothing, people: ['Dan'] }],
])('%s', (text, expected) => expect(mentionsIn(text)).toEqual(expected));
