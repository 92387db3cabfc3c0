import { ROLES } from '@parley/shared/values';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newUser, type Person } from '../../test/examples';
import { waitingMails } from '../../test/mails';
import { storeRealmSettings } from '../organization/realms.sql';
import { updateUserSettings } from '../users/update-user-settings';
import { requestPasswordReset } from './forgotten-password';
import { fetchApiKey } from './sign-in';

const PASSWORD = 'correct horse battery';
const DISABLED = { code: 'PASSWORD_AUTH_DISABLED' };
const FAILED = { code: 'AUTHENTICATION_FAILED' };

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia, { password: PASSWORD });

let oscar: Person;
beforeEach(async () => {
  oscar = await newUser(ctx, olivia, { password: PASSWORD, role: ROLES.owner });
});

const set = (who: string) => storeRealmSettings(ctx.db, olivia.realmId, { password_sign_in: who });
const signIn = ({ email: username, subdomain }: Person, password = PASSWORD) =>
  fetchApiKey(ctx, { subdomain, username, password, label: '', address: '' });
const change = (person: Person) =>
  updateUserSettings(ctx, person, { settings: [], oldPassword: PASSWORD, newPassword: 'a long and winding road' });
const reset = ({ subdomain, email }: Person) => requestPasswordReset(ctx, { subdomain, email });

test('where owners alone sign in with a password, others have none: neither signed in with, nor set, nor changed', async () => {
  await set('owners');
  await expect(signIn(iago)).rejects.toMatchObject(DISABLED);
  await expect(change(iago)).rejects.toMatchObject(DISABLED);
  await reset(iago);
  expect(await waitingMails(ctx, olivia)).toEqual([]);
  expect(await signIn(oscar)).toMatchObject({ userId: oscar.userId });
  await reset(oscar);
  expect(await waitingMails(ctx, olivia)).toMatchObject([{ recipient: oscar.email }]);
});

test('a wrong password does not tell who is an owner', async () => {
  await set('owners');
  for (const person of [iago, oscar]) await expect(signIn(person, 'wrong')).rejects.toMatchObject(FAILED);
});

test('where passwords are off, nobody signs in with one', async () => {
  await set('off');
  for (const person of [iago, oscar]) {
    await expect(signIn(person)).rejects.toMatchObject(DISABLED);
    await expect(change(person)).rejects.toMatchObject(DISABLED);
    await expect(reset(person)).rejects.toMatchObject(DISABLED);
  }
  await set('all');
  expect(await signIn(iago)).toMatchObject({ userId: iago.userId });
});
