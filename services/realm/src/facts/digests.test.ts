import { settingMessage } from '@parley/shared/values';
import { newChannel, setRealm } from '../../test/channels';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { noteMailBounced } from '../mail-recipients/bounces';
import { deactivateUser } from '../users/deactivate-user';
import { updateUserSettings } from '../users/update-user-settings';
import { listDigestRealms, listDigestRecipients, listNewChannels } from './digests';

const DAY_MS = 24 * 3_600_000;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const dan = memberOfEachTest(ctx, olivia, { email: 'dan@example.com' });

const weekday = async () => {
  const { realms } = await listDigestRealms(ctx);
  return realms.find(({ realmId }) => realmId === olivia.realmId)?.weekday;
};
const recipients = async (slice: { afterUserId?: number; limit?: number } = {}) => {
  const asked = { realmId: olivia.realmId, afterUserId: 0, limit: 1_000, ...slice };
  const found = await listDigestRecipients(ctx, { ...asked, inactiveSinceMs: ctx.clock.now() - 5 * DAY_MS });
  return found.recipients.map(({ userId }) => userId);
};

test('organizations send digests on their day, if they want to and are open', async () => {
  expect(await weekday()).toBeUndefined();
  await setRealm(ctx, olivia, { digest_emails_enabled: true });
  expect(await weekday()).toBe(1);
  await setRealm(ctx, olivia, { digest_weekday: 6 });
  expect(await weekday()).toBe(6);
  await ctx.db.query('update realm set is_deactivated = true where id = $1', [olivia.realmId]);
  expect(await weekday()).toBeUndefined();
});

test('digests are for people who were away for five days, in slices', async () => {
  expect(await recipients()).toEqual([]);
  ctx.clock.advance(6 * DAY_MS);
  expect(await recipients()).toEqual([olivia.userId, dan.userId]);
  expect(await recipients({ limit: 1 })).toEqual([olivia.userId]);
  expect(await recipients({ afterUserId: olivia.userId })).toEqual([dan.userId]);
  await newUser(ctx, olivia);
  await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  expect(await recipients()).toEqual([olivia.userId, dan.userId]);
  await ctx.db.query(
    `insert into user_presence (realm_id, user_id, active_at, connected_at, update_id)
     values ($1, $2, to_timestamp($3 / 1000.0), to_timestamp($3 / 1000.0), 1)`,
    [olivia.realmId, olivia.userId, ctx.clock.now() - 4 * DAY_MS],
  );
  expect(await recipients()).toEqual([dan.userId]);
  ctx.clock.advance(2 * DAY_MS);
  expect(await recipients()).toEqual([olivia.userId, dan.userId]);
});

test.each<[string, () => Promise<unknown>]>([
  [
    'have switched them off',
    () => updateUserSettings(ctx, dan, { settings: [settingMessage('enable_digest_emails', false)] }),
  ],
  [
    'have an address that refuses mails',
    () => noteMailBounced(ctx, { realmId: olivia.realmId, userId: dan.userId, address: dan.email, reason: 'x' }),
  ],
  ['are deactivated', () => deactivateUser(ctx, olivia, { userId: dan.userId })],
])('people get none who %s', async (_what, change) => {
  ctx.clock.advance(6 * DAY_MS);
  await change();
  expect(await recipients()).toEqual([olivia.userId]);
});

test('new channels are those that one may join and has not', async () => {
  const old = await newChannel(ctx, olivia, 'old');
  ctx.clock.advance(DAY_MS);
  const sinceMs = ctx.clock.now();
  await newChannel(ctx, olivia, 'secret', { settings: { isPrivate: true } });
  const [first, second] = [await newChannel(ctx, olivia, 'first'), await newChannel(ctx, olivia, 'second')];
  await newChannel(ctx, olivia, 'own', { subscriberIds: [dan.userId] });
  const { channels } = await listNewChannels(ctx, dan, { sinceMs });
  expect(channels).toEqual([
    { id: second, name: 'second' },
    { id: first, name: 'first' },
  ]);
  const earlier = await listNewChannels(ctx, dan, { sinceMs: sinceMs - DAY_MS });
  expect(earlier.channels.map(({ id }) => id)).toContain(old);
  const guest = await newUser(ctx, olivia, { role: 600 });
  expect(await listNewChannels(ctx, guest, { sinceMs })).toEqual({ channels: [] });
});
