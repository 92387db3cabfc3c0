import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { newPerson, signIn, signInOfEachTest } from '../../test/oidc-sign-in';
import { forgetOidcIdentities } from './forget-identities';
import { redeemLoginToken } from './login-tokens';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia, { role: 200 });
const place = signInOfEachTest(ctx, olivia);

const validKeys = async (userId: number) =>
  (
    await ctx.db.query<{ id: number }>(
      'select id from api_key where realm_id = $1 and user_id = $2 and revoked_at is null',
      [olivia.realmId, userId],
    )
  ).length;

test('what a wrong person has signed in ends, and the right one is linked afterwards', async () => {
  const before = await validKeys(iago.userId);
  const wrong = newPerson(place.idp, { email: iago.email }).name;
  await signIn(ctx, place, wrong);
  await signIn(ctx, place, wrong, { wanted: 'api_key' });
  const { loginToken = '' } = await signIn(ctx, place, wrong, { wanted: 'login_token' });
  expect(await validKeys(iago.userId)).toBe(before + 2);
  const right = newPerson(place.idp, { email: iago.email }).name;
  await expect(signIn(ctx, place, right)).rejects.toThrow('belongs to another sign-in');

  expect(await forgetOidcIdentities(ctx, olivia, { userId: iago.userId })).toEqual({ count: 1 });
  expect(await validKeys(iago.userId)).toBe(before);
  const { subdomain } = olivia;
  await expect(redeemLoginToken(ctx, { subdomain, loginToken, label: '' })).rejects.toThrow('is not valid');
  expect((await signIn(ctx, place, right)).key?.userId).toBe(iago.userId);
  Object.assign(place.idp.people[wrong] as object, { email: 'wrong@example.com' });
  expect((await signIn(ctx, place, wrong)).key?.userId).not.toBe(iago.userId);
});

test('is for owners, and for accounts that somebody is linked to', async () => {
  await expect(forgetOidcIdentities(ctx, iago, { userId: olivia.userId })).rejects.toMatchObject({
    code: 'UNAUTHORIZED_PRINCIPAL',
  });
  for (const userId of [iago.userId, 0, -1, 987_654_321]) {
    await expect(forgetOidcIdentities(ctx, olivia, { userId })).rejects.toThrow('No sign-in provider opens');
  }
});
