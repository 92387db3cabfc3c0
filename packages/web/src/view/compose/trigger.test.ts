import { triggerAt } from './trigger';

/** The cursor is at `|`. */
function typed(text: string) {
  const cursor = text.indexOf('|');
  return triggerAt(text.replace('|', ''), cursor);
}

test.each([
  ['@|', { kind: 'mention', query: '', start: 0, isSilent: false }],
  ['hello @da|', { kind: 'mention', query: 'da', start: 6, isSilent: false }],
  ['hello @_da|', { kind: 'mention', query: 'da', start: 6, isSilent: true }],
  ['@**Dan Ho|', { kind: 'mention', query: 'Dan Ho', start: 0, isSilent: false }],
  ['(@dan|', { kind: 'mention', query: 'dan', start: 1, isSilent: false }],
  ['#gen|', { kind: 'channel', query: 'gen', start: 0 }],
  ['see #**gen|', { kind: 'channel', query: 'gen', start: 4 }],
  ['#general>lu|', { kind: 'topic', query: 'lu', start: 0, channel: 'general' }],
  ['see #**general>|', { kind: 'topic', query: '', start: 4, channel: 'general' }],
  [':smi|', { kind: 'emoji', query: 'smi', start: 0 }],
  ['so good :+1|', { kind: 'emoji', query: '+1', start: 8 }],
  ['no :-1|', { kind: 'emoji', query: '-1', start: 3 }],
  ['/po|', { kind: 'command', query: 'po', start: 0 }],
  ['```py|', { kind: 'language', query: 'py', start: 3 }],
  ['text\n~~~ j|', { kind: 'language', query: 'j', start: 9 }],
])('%s', (text, expected) => expect(typed(text)).toEqual(expected));

test.each([
  'dan@exam|',
  '@**Dan** |',
  '@ dan|',
  '# heading|',
  '10:30|',
  'http://|',
  ':smile:|',
  'great :D|',
  ':p|',
  'great :-D|',
  ':-P|',
  'a /poll|',
  '`@da|',
  '```|',
  '```\n@da|',
  '```\nx\n```|',
])('nothing is suggested for %s', (text) => expect(typed(text)).toBeNull());

test('after a block of code there are suggestions again', () => {
  expect(typed('```\nx\n```\n@da|')).toMatchObject({ kind: 'mention', query: 'da' });
});
