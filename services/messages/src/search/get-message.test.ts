import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';

let network: MessagesUnderTest;

beforeAll(async () => {
  network = await startMessages();
});

afterAll(() => network.stop());

test('a message is returned to its readers; for others it does not exist', async () => {
  const { realm, client } = network;
  const [ann, bob, eve] = [realm.addUser('Ann'), realm.addUser('Bob'), realm.addUser('Eve')];
  const guest = realm.addUser('Guest', { role: 600 });
  const [open, closed, vault] = [
    realm.addChannel('Open'),
    realm.addChannel('Closed', { isPrivate: true }),
    realm.addChannel('Vault', { isPrivate: true, isHistoryPublic: false }),
  ];
  realm.subscribe(closed, ann);
  realm.subscribe(vault, ann);
  const requests = [
    toChannel(open.id, 'x', 'open'),
    toChannel(closed.id, 'x', 'closed'),
    toChannel(vault.id, 'x', 'vault'),
    toUsers([bob], 'direct'),
  ];
  const ids: number[] = [];
  for (const request of requests) ids.push((await client.sendMessage(callerOf(ann), request)).messageId);
  realm.subscribe(closed, bob);
  realm.subscribe(vault, bob);

  const readable = async (user: typeof ann) => {
    const answers = await Promise.allSettled(ids.map((messageId) => client.getMessage(callerOf(user), { messageId })));
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.content : answer.reason.message));
  };
  const no = 'Invalid message(s)';
  expect(await readable(ann)).toEqual(['open', 'closed', 'vault', 'direct']);
  expect(await readable(bob)).toEqual(['open', 'closed', no, 'direct']);
  expect(await readable(eve)).toEqual(['open', no, no, no]);
  expect(await readable(guest)).toEqual([no, no, no, no]);
  expect(await readable({ ...eve, realmId: 2 })).toEqual([no, no, no, no]);
  await expect(client.getMessage(callerOf(ann), { messageId: 999_999 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});
