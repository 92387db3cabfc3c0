import type { UpdateUserSettingsRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { payloadsOf, personUpdates, publicEvents } from '../../test/public-events';
import { getOwnUser } from '../accounts/get-own-user';
import { getRegisterState } from '../register/get-register-state';
import { fetchApiKey } from '../sign-in/sign-in';
import { updateUserSettings } from './update-user-settings';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia, { password: 'correct horse' });

const update = (caller: Caller, request: Partial<UpdateUserSettingsRequest>) =>
  updateUserSettings(ctx, caller, { settings: [], ...request });

async function settingsOf(caller: Caller): Promise<Record<string, unknown>> {
  const { personal } = await getRegisterState(ctx, caller);
  const settings = personal?.settings ?? [];
  return Object.fromEntries(settings.map(({ name, boolean, integer, text }) => [name, boolean ?? integer ?? text]));
}

describe('settings', () => {
  test('apply to the account only, with an event for each', async () => {
    const settings = [
      { name: 'color_scheme', integer: 2 },
      { name: 'default_language', text: 'de' },
      { name: 'enter_sends', boolean: true },
    ];
    await update(iago, { settings });
    expect(await settingsOf(iago)).toMatchObject({ color_scheme: 2, default_language: 'de', enter_sends: true });
    expect(await settingsOf(olivia)).toMatchObject({ color_scheme: 1, default_language: 'en', enter_sends: false });
    const audience = { to: 'users', userIds: [iago.userId] };
    const common = { type: 'user_settings', op: 'update' };
    expect(await publicEvents(ctx, iago, 'user_settings')).toEqual([
      { audience, event: { ...common, property: 'color_scheme', value: 2 } },
      { audience, event: { ...common, property: 'default_language', value: 'de', language_name: 'Deutsch' } },
      { audience, event: { ...common, property: 'enter_sends', value: true } },
    ]);
  });

  test('without changes are not announced', async () => {
    await update(iago, { settings: [{ name: 'color_scheme', integer: 1 }] });
    await update(iago, { settings: [{ name: 'color_scheme', integer: 3 }] });
    await update(iago, { settings: [{ name: 'color_scheme', integer: 3 }] });
    await update(iago, { settings: [{ name: 'color_scheme', integer: 1 }] });
    const events = await publicEvents(ctx, iago, 'user_settings');
    expect(events.map(({ event }) => event['value'])).toEqual([3, 1]);
  });

  test('of two changes at once both hold', async () => {
    await Promise.all([
      update(iago, { settings: [{ name: 'color_scheme', integer: 3 }] }),
      update(iago, { settings: [{ name: 'emojiset', text: 'text' }] }),
      update(iago, { settings: [{ name: 'enter_sends', boolean: true }] }),
    ]);
    expect(await settingsOf(iago)).toMatchObject({ color_scheme: 3, emojiset: 'text', enter_sends: true });
  });

  test('change together or not at all', async () => {
    const settings = [{ name: 'enter_sends', boolean: true }];
    await expect(update(iago, { settings, timezone: 'Mars' })).rejects.toThrow('Not a recognized time zone');
    await expect(update(iago, { settings, oldPassword: 'x', newPassword: 'y' })).rejects.toThrow('Wrong password!');
    await expect(update(iago, { settings, fullName: 'I' })).rejects.toThrow('Name too short!');
    expect(await settingsOf(iago)).toMatchObject({ enter_sends: false });
  });

  test('hidden presence is announced to everybody as being away', async () => {
    await update(iago, { settings: [{ name: 'presence_enabled', boolean: false }] });
    expect(await publicEvents(ctx, iago, 'user_status')).toEqual([
      { audience: { to: 'realm' }, event: { type: 'user_status', user_id: iago.userId, away: true } },
    ]);
    expect((await getRegisterState(ctx, olivia)).personal?.statuses).toEqual([
      { userId: iago.userId, statusText: '', isAway: true },
    ]);
  });

  test('consent to the export of private data is announced to administrators who are people', async () => {
    const bot = await newUser(ctx, olivia, { role: 200, botType: 1, botOwnerEmail: olivia.email });
    await update(iago, { settings: [{ name: 'allow_private_data_export', boolean: true }] });
    expect(await publicEvents(ctx, iago, 'realm_export_consent')).toEqual([
      {
        audience: { to: 'users', userIds: [olivia.userId] },
        event: { type: 'realm_export_consent', user_id: iago.userId, consented: true },
      },
    ]);
    expect(bot.userId).not.toBe(olivia.userId);
  });

  test('are refused to bots', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
    await expect(update(bot, { fullName: 'x' })).rejects.toThrow('This endpoint does not accept bot requests.');
  });
});

const lock = (name: string) =>
  ctx.db.query('update realm set settings = jsonb_build_object($2::text, true) where id = $1', [olivia.realmId, name]);

describe('a full name', () => {
  test('is announced to everybody', async () => {
    await update(iago, { fullName: ' Iago Smith ' });
    expect(await getOwnUser(ctx, iago)).toMatchObject({ fullName: 'Iago Smith' });
    const event = { type: 'realm_user', op: 'update', person: { user_id: iago.userId, full_name: 'Iago Smith' } };
    const picture = { person: { user_id: iago.userId, avatar_url: expect.stringContaining('/IS.svg') } };
    expect(await personUpdates(ctx, iago)).toMatchObject([
      { audience: { to: 'realm' }, event },
      { audience: { to: 'realm' }, event: picture },
    ]);
  });

  test('is ignored where names are locked, except for administrators', async () => {
    await lock('name_changes_disabled');
    await update(iago, { fullName: 'x' });
    await update(iago, { fullName: 'Other Name' });
    expect(await getOwnUser(ctx, iago)).not.toMatchObject({ fullName: 'Other Name' });
    await update(olivia, { fullName: 'Other Name' });
    expect(await getOwnUser(ctx, olivia)).toMatchObject({ fullName: 'Other Name' });
  });

  test('must be unique where the organization requires that', async () => {
    await update(iago, { fullName: 'OLIVIA owner' });
    await lock('require_unique_names');
    await update(iago, { fullName: 'Iago' });
    await expect(update(iago, { fullName: 'OLIVIA owner' })).rejects.toThrow(
      'Unique names required in this organization.',
    );
    await update(iago, { fullName: 'IAGO' });
  });

  test('is not checked if it does not change', async () => {
    await ctx.db.query(`update user_account set full_name = 'I' where id = $1`, [iago.userId]);
    await update(iago, { fullName: 'I' });
    expect(await personUpdates(ctx, iago)).toEqual([]);
  });
});

test('a time zone is announced to everybody, once', async () => {
  await update(iago, { timezone: 'Asia/Tokyo' });
  await update(iago, { timezone: 'Asia/Tokyo' });
  expect(await getOwnUser(ctx, iago)).toMatchObject({ timezone: 'Asia/Tokyo' });
  const person = { user_id: iago.userId, email: iago.email, timezone: 'Asia/Tokyo' };
  expect(await personUpdates(ctx, iago)).toEqual([
    { audience: { to: 'realm' }, event: { type: 'realm_user', op: 'update', person } },
  ]);
});

describe('a password', () => {
  const signIn = (password: string) =>
    fetchApiKey(ctx, { subdomain: iago.subdomain, username: iago.email, password, label: '', address: '' });

  test('replaces the old one', async () => {
    await update(iago, { oldPassword: 'correct horse', newPassword: 'battery staple' });
    expect(await signIn('battery staple')).toMatchObject({ userId: iago.userId });
    await expect(signIn('correct horse')).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  test('requires the old one', async () => {
    await expect(update(iago, { newPassword: 'battery staple' })).rejects.toThrow('Wrong password!');
    await expect(update(iago, { oldPassword: 'x', newPassword: 'battery staple' })).rejects.toThrow('Wrong password!');
    await expect(update(olivia, { oldPassword: '', newPassword: 'battery staple' })).rejects.toThrow('Wrong password!');
    await update(iago, { oldPassword: 'x', newPassword: '' });
    expect(await signIn('correct horse')).toMatchObject({ userId: iago.userId });
  });

  test('must not be weak', async () => {
    const request = { oldPassword: 'correct horse', newPassword: '12345' };
    await expect(update(iago, request)).rejects.toThrow('New password is too weak!');
  });

  const right = { oldPassword: 'correct horse', newPassword: 'battery staple' };

  test('cannot be guessed: attempts are limited, and the holder can still sign in', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(update(iago, { oldPassword: 'x', newPassword: 'battery' })).rejects.toThrow('Wrong password!');
    }
    await expect(update(iago, right)).rejects.toThrow("You're making too many attempts! Try again in 1800 seconds.");
    expect(await signIn('correct horse')).toMatchObject({ userId: iago.userId });
    await expect(update(iago, right)).rejects.toThrow("You're making too many attempts!");
  });

  test('can be changed by a signed-in user while others are locked out, who stay so', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(signIn('x')).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    }
    await update(iago, right);
    await expect(signIn('battery staple')).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });
  });

  test('of two concurrent changes, one applies', async () => {
    const results = await Promise.allSettled(
      ['battery staple', 'horse battery'].map((newPassword) =>
        update(iago, { oldPassword: 'correct horse', newPassword }),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('the visibility of the real address', () => {
  const show = (integer: number) => update(iago, { settings: [{ name: 'email_address_visibility', integer }] });

  test('decides which address the API shows', async () => {
    const hidden = `user${iago.userId}@hidden.invalid`;
    await show(3);
    expect(await getOwnUser(ctx, iago)).toMatchObject({ email: hidden, deliveryEmail: iago.email });
    expect(await settingsOf(iago)).toMatchObject({ email_address_visibility: 3 });
    await show(1);
    expect(await getOwnUser(ctx, iago)).toMatchObject({ email: iago.email, deliveryEmail: iago.email });
  });

  test('that changes with the name comes with the picture of the new initials', async () => {
    const settings = [{ name: 'email_address_visibility', integer: 3 }];
    await update(iago, { fullName: 'Zora Young', settings });
    const pictures = (await personUpdates(ctx, iago)).flatMap(
      ({ event }) => (event['person'] as { avatar_url?: string }).avatar_url ?? [],
    );
    expect(pictures).toEqual([expect.stringContaining('/ZY.svg'), expect.stringContaining('/ZY.svg')]);
  });

  test('is announced to users who gain or lose access to it; the other address and the picture to everybody', async () => {
    const [moderator, member, guest] = [
      await newUser(ctx, olivia, { role: 300 }),
      await newUser(ctx, olivia),
      await newUser(ctx, olivia, { role: 600 }),
    ];
    await newUser(ctx, olivia, { role: 600 });
    await ctx.db.query('update user_account set is_active = false where realm_id = $1 and id > $2', [
      iago.realmId,
      guest.userId,
    ]);
    await show(3);
    const events = await personUpdates(ctx, iago);
    const lostByIds = [moderator.userId, member.userId, guest.userId];
    expect(events).toEqual([
      { audience: { to: 'users', userIds: lostByIds }, event: personUpdate({ delivery_email: null }) },
      { audience: { to: 'realm' }, event: personUpdate({ new_email: `user${iago.userId}@hidden.invalid` }) },
      { audience: { to: 'realm' }, event: personUpdate({ avatar_source: 'G', avatar_version: 1 }) },
    ]);
    await show(5);
    expect((await personUpdates(ctx, iago)).slice(events.length)).toEqual([
      { audience: { to: 'users', userIds: [moderator.userId] }, event: personUpdate({ delivery_email: iago.email }) },
    ]);
    await show(5);
    expect(await payloadsOf(ctx, iago, 'email-visibility.changed')).toHaveLength(2);
  });

  const personUpdate = (changes: object) => ({
    type: 'realm_user',
    op: 'update',
    person: expect.objectContaining({ user_id: iago.userId, ...changes }),
  });
});
