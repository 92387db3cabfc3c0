import type { User } from '@parley/shared/proto';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';

/** The slowest contents to render that fit into a message. */
const hardContents = [
  `$$${'x'.repeat(9_900)}$$`,
  '$$a$$ '.repeat(390),
  `$$${'\\sqrt{'.repeat(400)}a${'}'.repeat(400)}$$`,
  `\`\`\`js\n${'`${/'.repeat(2_400)}`,
];
const HARD_MESSAGES = 16;

let network: MessagesUnderTest;
let eve: User;
let dan: User;
let lobby: PeerChannel;

beforeAll(async () => {
  network = await startMessages();
  const { realm } = network;
  [eve, dan] = [realm.addUser('Eve'), realm.addUser('Dan')];
  lobby = realm.addChannel('Lobby');
  realm.subscribe(lobby, eve, dan);
});
afterAll(() => network.stop());

const send = (user: User, content: string) =>
  network.client.sendMessage(callerOf(user), toChannel(lobby.id, 'x', content));

test('many slow messages of one sender do not delay other senders in the same process', async () => {
  await send(dan, 'warm');
  let hardOnesLeft = HARD_MESSAGES;
  const hardOnes = Array.from({ length: HARD_MESSAGES }, (_, at) =>
    send(eve, hardContents[at % hardContents.length] as string)
      .catch((error: Error) => expect(error.message).toBe('Unable to render message'))
      .finally(() => {
        hardOnesLeft -= 1;
      }),
  );
  const hardOnesLeftAfterEach: number[] = [];
  for (let sent = 0; sent < 5; sent += 1) {
    await send(dan, `easy ${sent}`);
    hardOnesLeftAfterEach.push(hardOnesLeft);
  }
  // Each takes a few turns of the event loop, and no turn renders more than one expensive message.
  expect(HARD_MESSAGES - (hardOnesLeftAfterEach[0] as number)).toBeLessThan(HARD_MESSAGES / 2);
  expect(hardOnesLeftAfterEach.at(-1)).toBeGreaterThan(0);
  // The other sender's expensive message comes second, not last.
  await send(dan, `\`\`\`js\nlet x\n\`\`\``);
  expect(hardOnesLeft).toBeGreaterThan(0);
  await Promise.all(hardOnes);
});
