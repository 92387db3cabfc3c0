import { loadService } from '../proto';
import { newCall } from './call';
import type { Method } from './multiplexed-calls';
import { decodeInSlices, encodeInSlices } from './sliced-messages';

const getMessages = loadService('messages')['GetMessages'] as Method;
const { deadlineAt } = newCall();

const messages = (count: number) =>
  Array.from({ length: count }, (_each, at) => ({
    id: at + 1,
    content: `soup ${at} ${'é'.repeat(at % 300)}`,
    flags: ['read'],
    sender: { id: at, fullName: 'Iris' },
  }));

describe('a response that is written and read in slices is the same', () => {
  test.each([0, 1, 100, 101, 5_000])('with %i messages', async (count) => {
    const response = { messages: messages(count), anchor: 7, foundAnchor: true, foundOldest: false };
    const bytes = await encodeInSlices(getMessages, response, deadlineAt);
    const whole = getMessages.responseDeserialize(getMessages.responseSerialize(response));
    expect(getMessages.responseDeserialize(bytes)).toEqual(whole);
    expect(await decodeInSlices(getMessages, bytes, deadlineAt)).toEqual(whole);
    expect(await decodeInSlices(getMessages, getMessages.responseSerialize(response), deadlineAt)).toEqual(whole);
  });
});

test.each([1024 * 1024, 1024 * 1024 + 1, 5_000_000])('so are %i bytes in a field', async (length) => {
  const getUserLists = loadService('realm')['GetUserLists'] as Method;
  const response = { version: '1', users: Buffer.alloc(length, 'a'), systemBots: Buffer.from('[]') };
  const bytes = await encodeInSlices(getUserLists, response, deadlineAt);
  const { users, ...others } = (await decodeInSlices(getUserLists, bytes, deadlineAt)) as typeof response;
  // NOTE: Jest compares megabytes for seconds.
  expect(users.equals(response.users)).toBe(true);
  expect(others).toMatchObject({ version: '1', isKnown: false, systemBots: response.systemBots });
});

test('absent fields stay absent', async () => {
  const response = { messages: messages(5_000) };
  const read = await decodeInSlices(getMessages, getMessages.responseSerialize(response), deadlineAt);
  expect(read).toEqual(getMessages.responseDeserialize(getMessages.responseSerialize(response)));
  expect(read).not.toHaveProperty('anchor');
});

test('reading and writing stop at the deadline of the call', async () => {
  const bytes = getMessages.responseSerialize({ messages: messages(20_000) });
  const over = { code: 'SERVER_NOT_READY' };
  await expect(decodeInSlices(getMessages, bytes, Date.now() - 1)).rejects.toMatchObject(over);
  await expect(encodeInSlices(getMessages, { messages: messages(50_000) }, Date.now() - 1)).rejects.toMatchObject(over);
});
