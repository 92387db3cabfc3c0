import type { Message } from '@parley/shared/proto';
import { directMessage, message } from '../../test/eg';
import { compileNarrow, type NarrowTerm } from './narrow';

const lobby = message({ channelId: 10, channelName: 'Lobby', topic: '✔ Lunch' });
const emptyTopic = message({ channelId: 10, channelName: 'Lobby', topic: '' });
const direct = directMessage([1, 2]).message;

function matches(narrow: string, given: Message, flags: string[] = []): boolean {
  const terms = narrow.split(' + ').map((term): NarrowTerm => {
    const [operator = '', operand = ''] = term.split(':');
    return { operator, operand };
  });
  return compileNarrow(terms)(given, flags);
}

test.each<[string, Message, string[], boolean]>([
  ['channel:Lobby', lobby, [], true],
  ['channel:lOBBY', lobby, [], true],
  ['stream:lobby', lobby, [], true],
  ['channel:lob', lobby, [], false],
  ['channel:', direct, [], false],
  ['topic:✔ lunch', lobby, [], true],
  ['topic:lunch', lobby, [], false],
  ['topic:', emptyTopic, [], true],
  ['topic:general chat', emptyTopic, [], true],
  ['topic:', direct, [], false],
  ['sender:USER1@example.com', lobby, [], true],
  ['sender:user2@example.com', lobby, [], false],
  ['is:dm', direct, [], true],
  ['is:private', direct, [], true],
  ['is:dm', lobby, [], false],
  ['is:starred', lobby, ['starred'], true],
  ['is:starred', lobby, [], false],
  ['is:unread', lobby, [], true],
  ['is:unread', lobby, ['read'], false],
  ['is:mentioned', lobby, ['mentioned'], true],
  ['is:mentioned', lobby, ['wildcard_mentioned'], false],
  ['is:alerted', lobby, ['mentioned'], true],
  ['is:alerted', lobby, [], false],
  ['is:resolved', lobby, [], true],
  ['is:resolved', emptyTopic, [], false],
  ['is:something new', lobby, [], true],
  ['is:constructor', lobby, [], true],
  ['channel:lobby + topic:✔ lunch', lobby, [], true],
  ['channel:lobby + is:dm', lobby, [], false],
])('%s, message %#', (narrow, given, flags, isWanted) => expect(matches(narrow, given, flags)).toBe(isWanted));

test('no terms let every message pass', () => expect(compileNarrow([])(lobby, [])).toBe(true));

test.each([
  ['near', '1', 'Operator near not supported.'],
  ['-channel', 'Lobby', 'Operator -channel not supported.'],
  ['toString', '', 'Operator toString not supported.'],
  ['is', 'followed', 'Operand followed not supported.'],
])('%s:%s is refused', (operator, operand, text) =>
  expect(() => compileNarrow([{ operator, operand }])).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', message: text }),
  ),
);
