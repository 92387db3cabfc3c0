import type { SendFacts, SendFactsQuery } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { userSettingsOf } from '@parley/shared/values';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { join, newOrganization, newUser, type Person } from '../../test/examples';
import { meetDirectly, restrictGuests } from '../../test/restrict-guests';
import { storeChosenSettings } from '../user-settings/user-settings.sql';
import { getSendFacts } from './get-send-facts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

async function factsFor({ realmId, userId }: Caller, asked: Partial<SendFactsQuery> = {}): Promise<SendFacts> {
  const lists = {
    recipientIds: [],
    recipientEmails: [],
    mentionedNames: [],
    mentionedGroupNames: [],
    linkedChannelNames: [],
    emojiNames: [],
  };
  const { facts } = await getSendFacts(ctx, { queries: [{ realmId, senderId: userId, ...lists, ...asked }] });
  return facts[0] as SendFacts;
}

test('the sender’s settings are those they have chosen', async () => {
  expect((await factsFor(olivia)).senderSettings).toBe('{}');
  await ctx.db.transaction((tx) =>
    storeChosenSettings(tx, olivia.realmId, olivia.userId, { translate_emoticons: true }),
  );
  const settings = userSettingsOf((await factsFor(olivia)).senderSettings);
  expect(settings).toMatchObject({ translate_emoticons: true, enable_drafts_synchronization: true });
});

test('custom emoji are those of the organization that are named and in use', async () => {
  const add = ({ realmId, userId: authorId }: Person, name: string, isDeactivated = false) =>
    ctx.prisma.customEmoji.create({
      data: { realmId, name, authorId, fileName: `${name}.png`, isDeactivated, createdAt: new Date(0) },
    });
  const { id } = await add(olivia, 'logo');
  await add(olivia, 'other');
  await add(olivia, 'gone', true);
  await add(await newOrganization(ctx), 'theirs');
  const { customEmoji } = await factsFor(olivia, { emojiNames: ['logo', 'gone', 'theirs', 'smile', '\0'] });
  expect(customEmoji).toEqual([
    { id, realmId: olivia.realmId, name: 'logo', fileName: 'logo.png', isDeactivated: false },
  ]);
});

describe('mentions by restricted guests', () => {
  const mentioned = async (sender: Caller, ...mentionedNames: string[]) =>
    (await factsFor(sender, { mentionedNames })).mentionedUsers.map(({ fullName }) => fullName).sort();

  test('reach users they meet, and bots', async () => {
    const guest = await newUser(ctx, olivia, { role: 600, fullName: 'Guest' });
    const [peer, friend, stranger] = [
      await newUser(ctx, olivia, { fullName: 'Peer' }),
      await newUser(ctx, olivia, { fullName: 'Friend' }),
      await newUser(ctx, olivia, { fullName: 'Stranger' }),
    ];
    await ctx.db.query('delete from subscription_interval where realm_id = $1', [olivia.realmId]);
    await ctx.db.query('delete from subscription where realm_id = $1', [olivia.realmId]);
    await newUser(ctx, olivia, { fullName: 'Bot', botType: 1, botOwnerEmail: olivia.email });
    await join(ctx, peer, ['team'], { principalIds: [guest.userId, peer.userId], newChannel: { isPrivate: true } });
    await meetDirectly(ctx.db, guest, friend);
    const names = ['Guest', 'Peer', 'Friend', 'Stranger', `Stranger|${stranger.userId}`, 'Bot'];
    expect(await mentioned(guest, ...names)).toEqual(['Bot', 'Friend', 'Guest', 'Peer', 'Stranger']);
    await restrictGuests(ctx, olivia);
    expect(await mentioned(guest, ...names)).toEqual(['Bot', 'Friend', 'Guest', 'Peer']);
    expect(await mentioned(peer, ...names)).toEqual(['Bot', 'Friend', 'Guest', 'Peer', 'Stranger']);
  });
});
