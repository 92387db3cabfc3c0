import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newPerson, signIn, signInOfEachTest } from '../../test/oidc-sign-in';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const place = signInOfEachTest(ctx, olivia);

/** The provider gives out this instead of its ID token. */
function instead(make: (claims: JWTPayload) => Promise<string> | string): void {
  place.idp.tamper = async (answer) => ({ ...answer, id_token: await make(decodeJwt(answer['id_token'] as string)) });
}

const nowSecs = () => Math.floor(Date.now() / 1_000);
const enter = () => signIn(ctx, place, newPerson(place.idp).name);

test('a token that the provider signs again is accepted, so the others fail for what is wrong with them', async () => {
  instead((claims) => place.idp.sign(claims));
  expect((await enter()).isNewAccount).toBe(true);
});

test('clocks may differ by a minute', async () => {
  instead((claims) => place.idp.sign({ ...claims, iat: nowSecs() + 50, exp: nowSecs() + 600 }));
  expect((await enter()).isNewAccount).toBe(true);
  instead((claims) => place.idp.sign({ ...claims, exp: nowSecs() - 50 }));
  expect((await enter()).isNewAccount).toBe(true);
});

test.each<[string, (claims: JWTPayload) => Promise<string> | string]>([
  ['without a signature', (claims) => new UnsecuredJWT(claims).encode()],
  [
    'with the signature of another token',
    async (claims) =>
      `${(await place.idp.sign(claims)).split('.').slice(0, 2).join('.')}.${(await place.idp.sign({})).split('.')[2]}`,
  ],
  ['signed by a key of somebody else', strangersToken],
  [
    'signed with the client’s secret',
    (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('a secret of many characters')),
  ],
  ['of another sign-in', (claims) => place.idp.sign({ ...claims, nonce: 'another' })],
  ['without a nonce', ({ nonce: _nonce, ...claims }) => place.idp.sign(claims)],
  ['for another client', (claims) => place.idp.sign({ ...claims, aud: 'another' })],
  [
    'for several clients, given to another one',
    (claims) => place.idp.sign({ ...claims, aud: ['parley', 'another'], azp: 'another' }),
  ],
  ['of another issuer', (claims) => place.idp.sign({ ...claims, iss: 'https://evil.example.com' })],
  ['that has expired', (claims) => place.idp.sign({ ...claims, exp: nowSecs() - 120 })],
  ['that begins later', (claims) => place.idp.sign({ ...claims, nbf: nowSecs() + 120 })],
  ['without an end', ({ exp: _exp, ...claims }) => place.idp.sign(claims)],
  ['of nobody', (claims) => place.idp.sign({ ...claims, sub: '' })],
  ['of somebody else than the user info', (claims) => place.idp.sign({ ...claims, sub: 'somebody-else' })],
  ['that is none', () => 'not.a.token'],
])('a token %s is refused', async (_what, make) => {
  instead(make);
  const { name, email } = newPerson(place.idp);
  await expect(signIn(ctx, place, name)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  const rows = await ctx.db.query('select 1 from user_account where realm_id = $1 and delivery_email = $2', [
    olivia.realmId,
    email,
  ]);
  expect(rows).toEqual([]);
});

test('an answer without an ID token is refused', async () => {
  place.idp.tamper = async ({ id_token: _token, ...answer }) => answer;
  await expect(enter()).rejects.toThrow('answer is not valid');
});

/** The key travels with the token, as if the provider had it. */
async function strangersToken(claims: JWTPayload): Promise<string> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)) };
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', jwk }).sign(privateKey);
}
