import { sendKeyOf } from './send-keys';

test.each([
  ['queue and local id', { queueId: 'q', localId: '1.01' }, 'queue:q:1.01'],
  ['an idempotency key before them', { queueId: 'q', localId: '1', idempotencyKey: 'k' }, 'key:k'],
  ['a job’s key before all', { jobKey: 'scheduled_message:7', idempotencyKey: 'k' }, 'job:scheduled_message:7'],
  ['a local id alone', { localId: '1' }, null],
  ['a queue alone', { queueId: 'q' }, null],
  ['empty texts', { queueId: '', localId: '', idempotencyKey: '' }, null],
  ['200 code points', { idempotencyKey: '😀'.repeat(200) }, `key:${'😀'.repeat(200)}`],
])('%s', (_, parts, expected) => {
  expect(sendKeyOf(parts)).toBe(expected);
});

test.each([
  ['Idempotency-Key', { idempotencyKey: 'x'.repeat(201) }],
  ['queue_id', { queueId: 'x'.repeat(201), localId: '1' }],
  ['local_id', { queueId: 'q', localId: 'x'.repeat(201) }],
])('a longer %s is refused', (name, parts) => {
  expect(() => sendKeyOf(parts)).toThrow(`${name} is too long (limit: 200 characters)`);
});

test('a null byte is refused', () => {
  expect(() => sendKeyOf({ idempotencyKey: 'a\0' })).toThrow('Idempotency-Key must not contain null bytes');
});
