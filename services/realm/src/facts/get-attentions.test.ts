import { contextOfTests } from '../../test/each-test';
import { newOrganization, newUser, type Person } from '../../test/examples';
import { meetDirectly, restrictGuests } from '../../test/restrict-guests';
import { addAlertWords } from '../personal/alert-words';
import { muteUser } from '../personal/muted-users';
import { getAttentions } from './get-attentions';

const ctx = contextOfTests();

const NOTHING = { alertWords: [], mutedUserIds: [], isGuest: false, isRestricted: false, knownUserIds: [] };

const idOf = ({ userId }: Person) => userId;

test('everybody named gets an answer of their own, in order, from one statement', async () => {
  const olivia = await newOrganization(ctx);
  const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  await addAlertWords(ctx, olivia, { words: ['lunch', 'Demo'] });
  await muteUser(ctx, zoe, { userId: iago.userId });
  const addedAtMs = ctx.clock.now();
  const before = ctx.db.statementCount;
  const users = [iago, olivia, { ...olivia, userId: 2 ** 40 }, zoe].map(({ realmId, userId }) => ({ realmId, userId }));
  expect((await getAttentions(ctx, { users })).attentions).toEqual([
    NOTHING,
    {
      ...NOTHING,
      alertWords: [
        { word: 'lunch', addedAtMs },
        { word: 'Demo', addedAtMs },
      ],
    },
    NOTHING,
    { ...NOTHING, mutedUserIds: [iago.userId] },
  ]);
  expect(ctx.db.statementCount - before).toBe(1);
});

test('a restricted guest’s visible users are listed; bots are visible to everybody', async () => {
  const olivia = await newOrganization(ctx);
  await ctx.db.query('update channel set is_default = false where realm_id = $1', [olivia.realmId]);
  const [guest, friend, stranger] = [
    await newUser(ctx, olivia, { role: 600 }),
    await newUser(ctx, olivia),
    await newUser(ctx, olivia),
  ];
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  await meetDirectly(ctx.db, guest, friend);
  const attentionOf = async ({ realmId, userId }: Person) =>
    (await getAttentions(ctx, { users: [{ realmId, userId }] })).attentions[0];
  expect(await attentionOf(guest)).toEqual({ ...NOTHING, isGuest: true });
  await restrictGuests(ctx, olivia);
  const { isRestricted, knownUserIds = [] } = (await attentionOf(guest)) ?? {};
  expect([isRestricted, knownUserIds]).toEqual([true, expect.arrayContaining([guest, friend, bot].map(idOf))]);
  for (const person of [olivia, stranger]) expect(knownUserIds).not.toContain(person.userId);
  expect(await attentionOf(stranger)).toEqual(NOTHING);
});

test('data of a user id is separate for each organization', async () => {
  const [olivia, stranger] = [await newOrganization(ctx), await newOrganization(ctx)];
  await addAlertWords(ctx, olivia, { words: ['lunch'] });
  const users = [{ realmId: stranger.realmId, userId: olivia.userId }];
  expect((await getAttentions(ctx, { users })).attentions).toEqual([NOTHING]);
});

test('refuses to answer for too many at once', async () => {
  const users = Array.from({ length: 1_001 }, (_, userId) => ({ realmId: 1, userId }));
  await expect(getAttentions(ctx, { users })).rejects.toThrow('Too many users in one call (limit: 1000)');
});
