import {
  changeGroupMembers,
  createGroup,
  getMessage,
  muteUser,
  sendMessage,
  unmuteUser,
} from '@parley/gateway/endpoints';
import { connectBus, countUnpublished } from '@parley/shared/bus';
import { silentLogger } from '@parley/shared/service';
import { testServers, until } from '@parley/shared/testing';
import { type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

async function deleteLog(): Promise<void> {
  const [{ name }] = (await network.database('realm').query('select current_database() as name')) as [{ name: string }];
  const prefix = name.slice(0, -'_realm'.length);
  const bus = await connectBus({ url: testServers().natsUrl, prefix, name: 'test', log: silentLogger });
  await bus.jsm.streams.delete(bus.stream);
  await bus.close();
}

/** Deletes the log; resolves when realm has refilled the next one. */
async function loseLog(): Promise<void> {
  const database = network.database('realm');
  const logOf = async () =>
    (await database.query<{ epoch: string }>('select log_epoch as epoch from outbox_progress'))[0];
  const before = await logOf();
  await deleteLog();
  await until(async () => (await logOf())?.epoch !== before?.epoch);
  await until(async () => (await countUnpublished(database)) === 0);
}

async function say(sender: TestClient, content: string): Promise<number> {
  return (await sender.call(sendMessage, { type: 'channel', to: 'general', topic: 'refill', content })).id;
}

async function putIntoGroup(name: string, person: TestClient): Promise<void> {
  const { group_id: groupId } = await network.iris.call(createGroup, { name, description: '', members: [] });
  await network.iris.call(changeGroupMembers, { user_group_id: groupId, add: [person.userId] });
}

async function notices(name: string): Promise<number> {
  const like = `%added you to the group @\\_*${name}*%`;
  return (await network.database('messages').query('select 1 from message where content like $1', [like])).length;
}

const flagsOf = async (person: TestClient, messageId: number) =>
  (await person.call(getMessage, { message_id: messageId })).message.flags;

test('after the loss of the log services act on the remaining events, and on none twice', async () => {
  const { dan, eve, iris } = network;
  await putIntoGroup('early', dan);
  await dan.call(muteUser, { muted_user_id: eve.userId });
  await dan.call(unmuteUser, { muted_user_id: eve.userId });
  await network.settle();
  const [fromEve, fromIris] = [await say(eve, 'after it'), await say(iris, 'as well')];

  const [messages] = network.replicas.messages;
  await messages?.stop();
  await putIntoGroup('late', dan);
  await until(async () => (await countUnpublished(network.database('realm'))) === 0);
  await loseLog();
  await messages?.start();

  await dan.call(muteUser, { muted_user_id: iris.userId });
  // Events are handled in order: by now all earlier ones were.
  await until(async () => (await flagsOf(dan, fromIris)).includes('read'));
  expect(await flagsOf(dan, fromEve)).not.toContain('read');
  await until(async () => (await notices('late')) > 0);
  expect([await notices('early'), await notices('late')]).toEqual([1, 1]);
});
