import type { FlagsChanged } from '@parley/shared/events';
import { directMessage } from './eg';
import { Network, type Pod } from './network';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
});
afterEach(() => network.stop());

const change = (...messageIds: number[]): FlagsChanged => ({
  userId: 1,
  op: 'add',
  flag: 'starred',
  messageIds,
  isAll: false,
});
const publish = (...changes: FlagsChanged[]) => network.publish('flags.changed', changes);
const starred = (...messages: number[]) =>
  expect.objectContaining({ type: 'update_message_flags', op: 'add', flag: 'starred', messages, all: false });

describe('changes of flags that a client gets in a row', () => {
  test('are one event, with the id of the last', async () => {
    const [together, apart] = [await pod.register(1), await pod.register(1)];
    await publish(change(5));
    const [first] = await pod.drain(apart);
    await publish(change(6), change(7, 8));
    const [later] = await pod.drain(apart);
    const events = await pod.drain(together);
    expect(events).toEqual([starred(5, 6, 7, 8)]);
    expect([first, later]).toEqual([starred(5), starred(6, 7, 8)]);
    expect(events[0]?.id).toBe(later?.id);
    expect(await pod.drain(together)).toEqual([]);
  });

  test('are one event for a waiting poll, too', async () => {
    const queue = await pod.register(1);
    const waiting = pod.poll(queue);
    await pod.parked(1);
    await publish(change(5), change(6));
    expect(await waiting).toEqual([starred(5, 6)]);
  });

  test('keep their order among other events and among changes that contradict them', async () => {
    const queue = await pod.register(1);
    await publish(change(5), change(6), { ...change(5), op: 'remove' }, change(5));
    await network.publishMessages(directMessage([1]));
    await publish(change(7));
    const events = await pod.drain(queue);
    expect(events.map(({ type, op, messages }) => [type, op, messages])).toEqual([
      ['update_message_flags', 'add', [5, 6]],
      ['update_message_flags', 'remove', [5]],
      ['update_message_flags', 'add', [5]],
      ['message', undefined, undefined],
      ['update_message_flags', 'add', [7]],
    ]);
  });

  test('are not joined across an event of another queue of the same user', async () => {
    const [all, flagsOnly] = [
      await pod.register(1),
      await pod.register(1, { hasEventTypes: true, eventTypes: ['update_message_flags'] }),
    ];
    await publish(change(5));
    await network.publishMessages(directMessage([1]));
    await publish(change(6));
    expect(await pod.drain(all)).toHaveLength(3);
    expect(await pod.drain(flagsOnly)).toEqual([starred(5, 6)]);
  });
});
