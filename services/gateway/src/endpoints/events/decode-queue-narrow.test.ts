import { decodeQueueNarrow } from './decode-queue-narrow';

const decode = (value: unknown) => decodeQueueNarrow('narrow', value);

test("a queue's narrow is taken by today's names", () => {
  const sent = [
    ['stream', 'social'],
    ['topic', ''],
    ['sender', 'a@x'],
    ['is', 'private'],
    ['is', 'mentioned'],
  ];
  expect(decode(sent)).toEqual([
    { operator: 'channel', operand: 'social' },
    { operator: 'topic', operand: '' },
    { operator: 'sender', operand: 'a@x' },
    { operator: 'is', operand: 'dm' },
    { operator: 'is', operand: 'mentioned' },
  ]);
});

test.each([
  [{}, 'narrow is not a list'],
  [[{ operator: 'is' }], 'narrow[0] is not a list'],
  [[['is']], 'narrow[0] is not length 2'],
  [[['id', 3]], 'narrow[0][1] is not a string'],
])('%j is refused', (sent, message) => {
  expect(() => decode(sent)).toThrow(new Error(message));
});
