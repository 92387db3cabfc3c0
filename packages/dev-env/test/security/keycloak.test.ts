import { addOidcProvider, getOwnUser, testOidcProvider } from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';
import { type WebPeople, webPeopleOf } from '../web/web-people';
import { type Keycloak, startKeycloak } from './keycloak';

const HOST = 'localhost';
const STARTING_MS = 900_000;
const SECRET = 'a secret of many characters';

let keycloak: Keycloak;
let network: TestNetwork;
let people: WebPeople;
beforeAll(async () => {
  keycloak = await startKeycloak();
  network = await TestNetwork.create({
    settings: { DEV_LOGIN: '1', EXTERNAL_HOST: HOST, OUTGOING_ALLOW: '127.0.0.1/32' },
  });
  people = await webPeopleOf({ address: network.address, host: HOST });
}, STARTING_MS);
afterAll(async () => {
  await people?.close();
  await network?.stop();
  await keycloak?.stop();
}, STARTING_MS);

test('somebody signs in through Keycloak, and is signed out when they sign out there', async () => {
  const { iris, dan } = network;
  const provider = { display_name: 'Keycloak', issuer: keycloak.issuer, client_id: 'parley', client_secret: SECRET };
  const { id: provider_id, callback_url: callback, logout_url } = await iris.call(addOidcProvider, provider);
  // The name of the gateway's host is known in the test's browser alone.
  const logout = `http://${network.address}${new URL(logout_url).pathname}`;
  const person = { username: 'dan', email: dan.email, firstName: 'Daniel', lastName: 'Brooks' };
  await keycloak.setUp({ secret: SECRET, callback, logout }, person);
  const tested = await iris.call(testOidcProvider, { provider_id });
  expect(tested).toMatchObject({ faults: [], has_backchannel_logout: true });

  const { page, context } = await people.openSignedOut('/');
  await page.getByRole('link', { name: 'Sign in with Keycloak' }).click();
  await page.locator('#username').fill('dan');
  await page.locator('#password').fill('dan');
  await page.locator('#kc-login').click();
  await page.getByRole('navigation', { name: 'Channels' }).waitFor();
  const cookies = await context.cookies(`http://${HOST}`);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const { json } = await dan.callRaw({
    method: 'GET',
    path: '/json/users/me',
    headers: { authorization: null, host: HOST, cookie },
  });
  expect(json).toMatchObject({ user_id: dan.userId });

  const atKeycloak = await context.newPage();
  await atKeycloak.goto(`${keycloak.issuer}/protocol/openid-connect/logout?client_id=parley`);
  await atKeycloak.locator('#kc-logout').click();
  await page.waitForURL('**/accounts/login*');
  await dan.call(getOwnUser, {});
  await context.close();
});
