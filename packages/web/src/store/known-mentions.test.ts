import { KnownMentions } from './known-mentions';

const edit = (id: number, ...flags: string[]) => ({ id: 1, type: 'update_message', message_id: id, flags });
const sent = (id: number, ...flags: string[]) => ({ id: 1, type: 'message', message: { id }, flags });

const UNREAD = 7;
const known = new KnownMentions();
known.begin([UNREAD]);

test.each([
  ['an edit of one that was unread at first', edit(UNREAD, 'mentioned'), undefined],
  ['the first mention by an edit', edit(8, 'mentioned'), 'added'],
  ['another edit of it', edit(8, 'mentioned'), undefined],
  ['an edit that takes it back', edit(8), 'removed'],
  ['a message that mentions everybody', sent(9, 'stream_wildcard_mentioned'), undefined],
  ['an edit of it', edit(9, 'stream_wildcard_mentioned'), undefined],
  ['a link preview', { ...edit(10, 'mentioned'), rendering_only: true }, undefined],
  [
    'one marked as unread',
    { id: 1, type: 'update_message_flags', message_details: { 11: { mentioned: true } } },
    undefined,
  ],
  ['an edit of that', edit(11, 'mentioned'), undefined],
])('%s', (_name, event, change) => {
  expect(known.take(event)).toBe(change);
});
