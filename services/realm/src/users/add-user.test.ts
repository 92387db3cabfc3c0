import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { freshName, newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getOwnUser } from '../accounts/get-own-user';
import { storeRealmSettings } from '../organization/realms.sql';
import { findNamedUser } from '../people/find-user';
import { fetchApiKey } from '../sign-in/sign-in';
import { addUser } from './add-user';
import { permitUser } from './update-user';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

beforeEach(async () => {
  await permit(olivia, true);
});

const permit = ({ subdomain, email }: Person, mayCreateUsers: boolean) =>
  permitUser(ctx, { subdomain, email, mayCreateUsers });
const wanted = (over: Partial<{ email: string; password: string; fullName: string }> = {}) => ({
  email: `${freshName('dan')}@example.com`,
  password: 'correct horse',
  fullName: 'Dan',
  ...over,
});

test('makes a member who can sign in at once and is in the default channels', async () => {
  const person = wanted();
  const { userId } = await addUser(ctx, olivia, person);
  expect(await getOwnUser(ctx, { ...olivia, userId })).toMatchObject({
    email: person.email,
    fullName: 'Dan',
    role: 400,
  });
  const { subdomain } = olivia;
  const signedIn = await fetchApiKey(ctx, {
    subdomain,
    username: person.email,
    password: person.password,
    label: '',
    address: '',
  });
  expect(signedIn.userId).toBe(userId);
  const rows = await ctx.db.query('select 1 from subscription where user_id = $1', [userId]);
  expect(rows.length).toBeGreaterThan(0);
  expect((await publicEvents(ctx, olivia, 'realm_user')).at(-1)?.event).toMatchObject({
    op: 'add',
    person: { user_id: userId, email: person.email },
  });
});

test('requires an administrator with the operator’s permission', async () => {
  const iago = await newUser(ctx, olivia, { role: 200 });
  await expect(addUser(ctx, iago, wanted())).rejects.toThrow('User not authorized to create users');
  await permit(iago, true);
  await addUser(ctx, iago, wanted());
  await permit(iago, false);
  await expect(addUser(ctx, iago, wanted())).rejects.toThrow('User not authorized to create users');
  const dan = await newUser(ctx, olivia, { mayCreateUsers: true });
  await expect(addUser(ctx, dan, wanted())).rejects.toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
});

// Errors are reported in this order.
test.each([
  [{ fullName: 'D', email: 'nonsense', password: 'x' }, 'Name too short!'],
  [{ email: 'nonsense', password: 'x' }, 'Bad name or username'],
  [{ email: 'dan@mailinator.com', password: 'x' }, 'Disposable email addresses are not allowed in this organization'],
  [{ email: 'OLIVIA@example.com', password: 'x' }, 'Email is already in use.'],
  [{ password: 'x' }, 'The password is too weak.'],
])('%j: %s', async (over, text) => {
  await expect(addUser(ctx, olivia, wanted(over))).rejects.toThrow(text);
});

test('accepts the addresses allowed by the organization, and unique names if that is set', async () => {
  await storeRealmSettings(ctx.db, olivia.realmId, { emails_restricted_to_domains: true, require_unique_names: true });
  await ctx.db.query(
    `insert into allowed_domain (realm_id, domain, allows_subdomains) values ($1, 'example.com', false)`,
    [olivia.realmId],
  );
  await addUser(ctx, olivia, wanted());
  await expect(addUser(ctx, olivia, wanted())).rejects.toThrow('Unique names required in this organization.');
  const other = (email: string) => addUser(ctx, olivia, wanted({ fullName: 'Other', email }));
  await expect(other('dan@elsewhere.example')).rejects.toThrow(
    "Email 'dan@elsewhere.example' not allowed in this organization",
  );
  await expect(other('dan+1@example.com')).rejects.toThrow('Email addresses containing + are not allowed.');
});

test('of several made at once with one address there is one', async () => {
  const person = wanted();
  const results = await Promise.allSettled(Array.from({ length: 4 }, () => addUser(ctx, olivia, person)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refusal = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  expect(refusal.reason.message).toBe('Email is already in use.');
});

describe('looking up an address', () => {
  const hide = (person: Person, visibility: number) =>
    ctx.db.query(
      `update user_account set email_address_visibility = $2, email = 'user' || id || '@hidden.invalid' where id = $1`,
      [person.userId, visibility],
    );
  const named = async (viewer: Person, email: string) =>
    findNamedUser(ctx.db, await getOwnUser(ctx, viewer), { email }).then(
      ({ id }) => id,
      ({ message }) => message,
    );

  test('finds users with an address visible to the caller, and the caller', async () => {
    const [dan, eve, iago] = [
      await newUser(ctx, olivia),
      await newUser(ctx, olivia),
      await newUser(ctx, olivia, { role: 200 }),
    ];
    expect(await named(eve, dan.email.toUpperCase())).toBe(dan.userId);
    await hide(dan, 3);
    expect(await named(eve, dan.email)).toBe('No such user');
    expect(await named(iago, dan.email)).toBe(dan.userId);
    expect(await named(dan, dan.email)).toBe(dan.userId);
    await hide(dan, 4);
    expect(await named(olivia, dan.email)).toBe('No such user');
    expect(await named(eve, `USER${dan.userId}@hidden.invalid`)).toBe(dan.userId);
    expect(await named(eve, 'user999999999@hidden.invalid')).toBe('No such user');
    expect(await named(eve, 'nul\0@example.com')).toBe('No such user');
  });
});
