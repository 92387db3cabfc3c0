import type { ReactionQuery } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import sharp from 'sharp';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, leave, newGroup, newUser } from '../../test/examples';
import { namedGroup } from '../group-settings/group-setting';
import { addCustomEmoji, deactivateCustomEmoji } from '../organization-lists/custom-emoji';
import { muteUser } from '../personal/muted-users';
import { getMarkFacts } from './get-mark-facts';
import { getReadFacts } from './get-read-facts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

/** The ids of an open channel, and of private ones: shared, protected, one that a group may join, one that Iago has left. */
async function makeChannels(): Promise<number[]> {
  const group = await newGroup(ctx, olivia, { name: 'readers', members: [iago] });
  const joinable = {
    isPrivate: true,
    isHistoryPublic: true,
    groupSettings: { can_subscribe_group: namedGroup(group) },
  };
  await join(ctx, olivia, ['open']);
  await join(ctx, olivia, ['shared'], { newChannel: { isPrivate: true, isHistoryPublic: true } });
  await join(ctx, olivia, ['protected'], { newChannel: { isPrivate: true } });
  await join(ctx, olivia, ['joinable'], { newChannel: joinable });
  await join(ctx, iago, ['left'], { newChannel: { isPrivate: true } });
  await leave(ctx, iago, ['left']);
  return Object.values(await channelIds(ctx, olivia)).map(Number);
}

test('a user’s channels are those of the facts for reading, whatever they may do in them', async () => {
  const ids = [...(await makeChannels()), 2 ** 63, 999_999_999];
  const guest = await newUser(ctx, olivia, { role: 600 });
  const administrator = await newUser(ctx, olivia, { role: 200 });
  await muteUser(ctx, iago, { userId: olivia.userId });
  const byId = (a: { channelId: number }, b: { channelId: number }) => a.channelId - b.channelId;
  for (const person of [olivia, iago, administrator, guest]) {
    const marks = await getMarkFacts(ctx, person, { channelIds: ids });
    const reads = await getReadFacts(ctx, person, { channels: { ids } });
    expect(marks.channels.sort(byId)).toEqual(reads.channels);
    expect(marks.mutedUserIds).toEqual(reads.mutedUserIds);
  }
});

test('one statement answers about channels that the user is in or everybody may read', async () => {
  const { general, open } = await makeChannels().then(() => channelIds(ctx, olivia));
  const before = ctx.db.statementCount;
  await getMarkFacts(ctx, iago, { channelIds: [general as number, open as number] });
  expect(ctx.db.statementCount - before).toBe(1);
});

test('a credential that travels with the call is confirmed by the same statement', async () => {
  const { realmId, userId, email, subdomain } = iago;
  const [key] = await ctx.db.query<{ id: number }>('select id from api_key where user_id = $1', [userId]);
  const credential = { apiKeyId: key?.id as number, email, subdomain, isConfirmed: false };
  const ask = (carried: typeof credential) =>
    getMarkFacts(ctx, { ...newCall(), realmId, userId, credential: carried }, { channelIds: [] });
  const before = ctx.db.statementCount;
  await ask(credential);
  expect([credential.isConfirmed, ctx.db.statementCount - before]).toEqual([true, 1]);
  const [other] = await ctx.db.query<{ id: number }>('select id from api_key where user_id = $1', [olivia.userId]);
  const unconfirmed = { ...credential, isConfirmed: false };
  await expect(ask({ ...unconfirmed, apiKeyId: other?.id as number })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await ctx.db.query('update api_key set revoked_at = now() where id = $1', [key?.id]);
  await expect(ask(unconfirmed)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

describe('for a reaction', () => {
  const ask = (reaction: Partial<ReactionQuery>, ids: number[] = []) =>
    getMarkFacts(ctx, iago, { channelIds: ids, reaction: { holderIds: [], ...reaction } });

  test('the user is returned as in events, with their settings', async () => {
    const { email } = iago;
    expect((await ask({})).user).toMatchObject({ id: iago.userId, email, isBot: false, settings: '{}' });
  });

  test('custom emoji come by name and by code, deactivated ones too, and no others', async () => {
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const add = async (name: string) => (await addCustomEmoji(ctx, iago, { name, files: [picture] })).id;
    const [first, second] = [await add('our_tick'), await add('our_cross')];
    await deactivateCustomEmoji(ctx, iago, { name: 'our_cross' });
    const idsOf = async (query: Partial<ReactionQuery>) => (await ask(query)).customEmoji.map(({ id }) => id);
    expect(await idsOf({ emojiName: 'our_tick' })).toEqual([first]);
    expect(await idsOf({ emojiName: 'our_tick', emojiCode: String(second) })).toEqual([first, second]);
    expect(await idsOf({ emojiName: 'a\0', emojiCode: '1f642' })).toEqual([]);
    expect((await ask({ emojiName: 'our_cross' })).customEmoji).toMatchObject([
      { name: 'our_cross', isDeactivated: true },
    ]);
  });

  test('private channels have their outside readers', async () => {
    await makeChannels();
    const { joinable, open } = (await channelIds(ctx, olivia)) as { joinable: number; open: number };
    const readersOf = async (channelId: number) =>
      (await ask({ channelId, holderIds: [iago.userId] }, [channelId])).outsideReaders.map(({ userId }) => userId);
    expect(await readersOf(joinable)).toEqual([iago.userId]);
    expect(await readersOf(open)).toEqual([]);
  });
});
