import type { ChannelFirstMessageTold } from '@parley/shared/events';
import { changeMeanwhile } from '../../test/change-meanwhile';
import { newChannel, reached } from '../../test/channels';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { join, leave, newUser, type Person, type TestContext } from '../../test/examples';
import { payloadsOf, publicEvents } from '../../test/public-events';
import { setQuietChannels } from '../facts/quiet-channels';
import { updateUser } from '../users/update-user';
import { announceFirstMessages } from './channel-audience';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);
const peer = memberOfEachTest(ctx, olivia);

const giveRole = (where: TestContext, { userId }: Person, role: number) =>
  updateUser(where, olivia, { user: { id: userId }, role, profileValues: [] });
const newSecret = (...subscribers: Person[]) =>
  newChannel(ctx, olivia, 'secret', {
    subscriberIds: subscribers.map(({ userId }) => userId),
    settings: { isPrivate: true },
  });

function announceFirstMessage(channelId: number): Promise<void> {
  const payload = { channel: { id: channelId, name: '' }, firstMessageId: 1, audience: { to: 'realm' } } as const;
  return announceFirstMessages(ctx, [{ id: '1', realmId: olivia.realmId, payload }]);
}

async function getFirstMessageAudience(people: Readonly<Record<string, Person>>): Promise<string[]> {
  const [told] = await payloadsOf<ChannelFirstMessageTold>(ctx, olivia, 'channel.first-message-told');
  return reached((told as ChannelFirstMessageTold).audience, people);
}

/** What events of a channel tell a person who is not in it, in order. */
async function toldOf(channelId: number, person: Person): Promise<Record<string, unknown>[]> {
  const all = [...(await publicEvents(ctx, olivia, 'stream')), ...(await publicEvents(ctx, olivia, 'subscription'))];
  return all
    .filter(({ audience }) => reached(audience, { person }).length > 0)
    .map(({ event }) => event)
    .filter(({ stream_id, stream_ids = [stream_id] }) => (stream_ids as unknown[]).includes(channelId));
}

/** The others who are in the channel, as far as events tell it. */
async function subscribersTold(channelId: number, person: Person): Promise<unknown[]> {
  const subscribers = new Set<unknown>();
  for (const { op, user_ids: userIds } of await toldOf(channelId, person)) {
    for (const userId of (userIds ?? []) as unknown[]) {
      if (op === 'peer_add') subscribers.add(userId);
      if (op === 'peer_remove') subscribers.delete(userId);
    }
  }
  return [...subscribers];
}

describe('users to whom a channel appears', () => {
  test('are told who subscribes at the same time', async () => {
    const channelId = await newSecret(olivia);
    const principalIds = [peer.userId];
    await changeMeanwhile(
      ctx,
      () => giveRole(ctx, iago, 200),
      (slow) => join(slow, olivia, ['secret'], { principalIds }),
    );
    expect(await subscribersTold(channelId, iago)).toEqual([olivia.userId, peer.userId]);
  });

  test('are told who leaves at the same time', async () => {
    const channelId = await newSecret(olivia, peer);
    await changeMeanwhile(
      ctx,
      () => giveRole(ctx, iago, 200),
      (slow) => leave(slow, peer, ['secret']),
    );
    expect(await subscribersTold(channelId, iago)).toEqual([olivia.userId]);
  });

  test('are told that it becomes quiet at the same time', async () => {
    const channelId = await newSecret(olivia);
    const becomeQuiet = () =>
      setQuietChannels(ctx, { realmId: olivia.realmId, channelIds: [channelId], isQuiet: true });
    await changeMeanwhile(ctx, becomeQuiet, (slow) => giveRole(slow, iago, 200));
    expect(await toldOf(channelId, iago)).toContainEqual(
      expect.objectContaining({ property: 'is_recently_active', value: false }),
    );
  });

  test('are told of a first message that changes at the same time', async () => {
    const channelId = await newSecret(olivia);
    const change = () => announceFirstMessage(channelId);
    await changeMeanwhile(ctx, change, (slow) => giveRole(slow, iago, 200));
    expect(await getFirstMessageAudience({ iago, peer })).toEqual(['iago']);
  });
});

test('users for whom a channel vanishes are not told of its first message afterwards', async () => {
  const channelId = await newSecret(olivia);
  for (const person of [iago, peer]) await giveRole(ctx, person, 200);
  const change = () => announceFirstMessage(channelId);
  await changeMeanwhile(ctx, change, (slow) => giveRole(slow, iago, 400));
  expect(await getFirstMessageAudience({ iago, peer })).toEqual(['peer']);
});

test('a guest who joins at the same time is not told of the first message of a channel that they do not see', async () => {
  const channelId = await newChannel(ctx, olivia, 'open');
  let guest: Person | undefined;
  await changeMeanwhile(
    ctx,
    () => announceFirstMessage(channelId),
    async (slow) => {
      guest = await newUser(slow, olivia, { role: 600 });
    },
  );
  expect(await getFirstMessageAudience({ guest: guest as Person, iago })).toEqual(['iago']);
});
