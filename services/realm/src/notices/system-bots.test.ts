import { readFileSync } from 'node:fs';
import path from 'node:path';
import { join, newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { createGroup } from '../groups/create-group';
import { getRegisterState } from '../register/get-register-state';
import { MIGRATIONS } from '../service';
import { devFetchApiKey } from '../sign-in/sign-in';
import { deactivateUser } from '../users/deactivate-user';
import { getUsers } from '../users/list-users';
import { updateUser } from '../users/update-user';
import { systemBotAccounts } from './system-bots';
import { findSystemBotIds, renameSystemBots } from './system-bots.sql';

let ctx: TestContext;
let owner: Person;
let botIds: number[];
let botId: number;

beforeAll(async () => {
  ctx = await openContext();
  owner = await newOrganization(ctx);
  botIds = [...(await findSystemBotIds(ctx.db, owner.realmId)).values()];
  botId = botIds[0] as number;
});
afterAll(() => ctx.close());

test('every organization has its own, known by addresses that lead nowhere', async () => {
  const other = await newOrganization(ctx);
  const otherIds = [...(await findSystemBotIds(ctx.db, other.realmId)).values()];
  expect(new Set([...botIds, ...otherIds]).size).toBe(4);
  const { users } = await getUsers(ctx, owner, { userIds: [...botIds, ...otherIds] });
  expect(users).toMatchObject([
    { email: 'notification-bot@system.invalid', fullName: 'Notification Bot', isBot: true, isSystemBot: true },
    { email: 'welcome-bot@system.invalid', fullName: 'Welcome Bot', isBot: true, isSystemBot: true, isActive: true },
  ]);
  for (const user of users) expect(user).not.toHaveProperty('botOwnerId');
});

test('organizations of before get theirs by the migration', async () => {
  const { realmId } = await newOrganization(ctx);
  const migration = readFileSync(path.join(MIGRATIONS, '000011-system-bots.sql'), 'utf8');
  const backfill = migration.slice(migration.indexOf('insert into'));
  const users =
    'select full_name, email, role, bot_type, system_bot from user_account where realm_id = $1 and is_bot order by id';
  const made = await ctx.db.query(users, [realmId]);
  await ctx.db.query('delete from user_account where realm_id = $1 and system_bot is not null', [realmId]);
  await ctx.db.query(backfill.replace('from realm r', `from (select * from realm where id = ${realmId}) r`));
  expect(await ctx.db.query(users, [realmId])).toEqual(made);
});

test('have the names of the service’s settings', async () => {
  const config = { ...ctx.config, NOTIFICATION_BOT_NAME: 'Herald', SYSTEM_BOT_DOMAIN: 'chat.example' };
  await renameSystemBots(ctx.db, systemBotAccounts(config));
  const { users } = await getUsers(ctx, owner, { userIds: [botId] });
  expect(users).toMatchObject([{ fullName: 'Herald', email: 'notification-bot@chat.example' }]);
  await renameSystemBots(ctx.db, systemBotAccounts(ctx.config));
});

test('are in no group', async () => {
  const { groups } = await getRegisterState(ctx, owner);
  expect(groups.flatMap(({ memberIds }) => memberIds)).not.toContain(botId);
});

test('cannot be signed in to', async () => {
  const sign = { subdomain: owner.subdomain, username: 'notification-bot@system.invalid', label: '' };
  await expect(devFetchApiKey(ctx, sign)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  expect(await ctx.db.query('select 1 from api_key where user_id = any($1)', [botIds])).toEqual([]);
});

test('can be neither subscribed nor added to a group', async () => {
  await expect(join(ctx, owner, ['general'], { principalIds: [botId] })).rejects.toThrow('No such user');
  const group = { name: 'machines', description: '', memberIds: [botId], subgroupIds: [], settings: {} };
  await expect(createGroup(ctx, owner, group)).rejects.toThrow(`Invalid user ID: ${botId}`);
});

test('can be neither edited nor deactivated, nor own another', async () => {
  await expect(updateUser(ctx, owner, { user: { id: botId }, fullName: 'Mine', profileValues: [] })).rejects.toThrow(
    'No such user',
  );
  await expect(deactivateUser(ctx, owner, { userId: botId })).rejects.toThrow('No such user');
  const owned = { botType: 1, botOwnerEmail: 'welcome-bot@system.invalid' };
  await expect(newUser(ctx, owner, owned)).rejects.toThrow("Bots can't own other bots");
});

test('have hidden addresses', async () => {
  await expect(newUser(ctx, owner, { email: 'Welcome-Bot@system.invalid' })).rejects.toThrow('already in use');
});
