import { UnauthorizedPrincipalError } from '@parley/shared/errors';
import { createScimToken, listScimTokens, revokeScimToken, rotateScimToken, setScimRole } from '../../src/endpoints';
import { startGateway, type TestGateway } from '../gateway';

const BASE_URL = 'https://chat.example/scim/v2';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

test('a new token is shown with the address that belongs to it', async () => {
  gateway.realm.answers.createScimToken = async () => ({ tokenId: 3, token: 'parley_scim_x' });
  const { json } = await gateway.call(createScimToken, { name: 'Entra' });
  expect(json).toMatchObject({ id: 3, token: 'parley_scim_x', base_url: BASE_URL });
  expect(gateway.realm.last('createScimToken')).toEqual({ name: 'Entra' });
  expect((await gateway.call(createScimToken, { name: 'x'.repeat(101) })).json).toMatchObject({ code: 'BAD_REQUEST' });
});

test('tokens are listed without their secrets, with the roles that groups give', async () => {
  gateway.realm.answers.listScimTokens = async () => ({
    tokens: [
      { id: 3, name: 'Entra', createdAtMs: 1_700_000_000_000, formerEndsAtMs: 1_700_000_600_000 },
      { id: 4, name: 'Okta', createdAtMs: 1_700_000_000_000 },
    ],
    roles: [{ groupName: 'Admins', role: 200 }],
  });
  expect((await gateway.call(listScimTokens, {})).json).toMatchObject({
    base_url: BASE_URL,
    scim_tokens: [
      { id: 3, name: 'Entra', date_created: 1_700_000_000, former_ends_at: 1_700_000_600 },
      { id: 4, name: 'Okta', date_created: 1_700_000_000, former_ends_at: null },
    ],
    scim_roles: [{ group_name: 'Admins', role: 200 }],
  });
});

test('a token is replaced, at once or after a while, and ended', async () => {
  gateway.realm.answers.rotateScimToken = async () => ({ tokenId: 3, token: 'parley_scim_y' });
  gateway.realm.answers.revokeScimToken = async () => ({});
  expect((await gateway.call(rotateScimToken, { token_id: 3 })).json).toMatchObject({ id: 3, token: 'parley_scim_y' });
  expect(gateway.realm.last('rotateScimToken')).toEqual({ tokenId: 3, overlapMinutes: 0 });
  await gateway.call(rotateScimToken, { token_id: 3, overlap_minutes: 60 });
  expect(gateway.realm.last('rotateScimToken')).toEqual({ tokenId: 3, overlapMinutes: 60 });
  await gateway.call(revokeScimToken, { token_id: 3 });
  expect(gateway.realm.last('revokeScimToken')).toEqual({ tokenId: 3 });
});

test('a group gives a role, or none', async () => {
  gateway.realm.answers.setScimRole = async () => ({});
  await gateway.call(setScimRole, { group_name: 'Admins', role: 200 });
  expect(gateway.realm.last('setScimRole')).toEqual({ groupName: 'Admins', role: 200 });
  await gateway.call(setScimRole, { group_name: 'Admins', role: null });
  expect(gateway.realm.last('setScimRole')).toEqual({ groupName: 'Admins' });
});

test('who is no owner is refused', async () => {
  gateway.realm.answers.listScimTokens = async () => {
    throw new UnauthorizedPrincipalError('Must be an organization owner');
  };
  expect((await gateway.call(listScimTokens, {})).json).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
});
