import { newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { ROLES } from '@parley/shared/values';
import { TestNetwork } from '../../src';
import { newScimToken, scimRequests } from './scim-client';

// The requests are those that the documents of Okta and Microsoft show.

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let network: TestNetwork;
let scim: ReturnType<typeof scimRequests>;
beforeAll(async () => {
  network = await TestNetwork.create({ clock: createFakeClock() });
  scim = scimRequests(network, (await newScimToken(network)).token);
});
afterAll(() => network.stop());

const patch = (path: string, ...operations: object[]) =>
  scim('PATCH', path, { schemas: [PATCH_OP], Operations: operations });
const filtered = (text: string) => `filter=${encodeURIComponent(text)}`;

describe('Entra', () => {
  const NAME = 'Test_User_ab6490ee@testuser.com';
  let [userId, groupId] = ['', ''];

  test('looks whether there is somebody of that name, and makes the account', async () => {
    const asked = await scim('GET', `/Users?${filtered(`userName eq "${NAME}"`)}`);
    expect(asked).toMatchObject({ status: 200, json: { totalResults: 0 } });
    const made = await scim('POST', '/Users', {
      schemas: [USER, ENTERPRISE],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      ...{ userName: NAME, active: true, displayName: 'givenName familyName' },
      emails: [{ primary: true, type: 'work', value: 'Test_User_fd0ea19b@testuser.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'givenName familyName', familyName: 'familyName', givenName: 'givenName' },
      roles: [],
      [ENTERPRISE]: { department: 'Sales', manager: { value: '26118915-6090-4610-87e4-49d8ca9f808d' } },
    });
    expect(made).toMatchObject({ status: 201, json: { userName: NAME, active: true } });
    userId = made.json.id;
    const again = await scim('GET', `/Users?${filtered(`userName eq "${NAME.toUpperCase()}"`)}`);
    expect(again.json).toMatchObject({ totalResults: 1, Resources: [{ id: userId }] });
  });

  test('changes parts of a user', async () => {
    const changed = await patch(
      `/Users/${userId}`,
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'updatedEmail@microsoft.com' },
      { op: 'Add', path: 'name.familyName', value: 'updatedFamilyName' },
      { op: 'Replace', path: 'displayName', value: 'givenName updatedFamilyName' },
      { op: 'Add', path: `${ENTERPRISE}:department`, value: 'Support' },
    );
    expect(changed).toMatchObject({
      status: 200,
      json: { displayName: 'givenName updatedFamilyName', emails: [{ value: 'updatedEmail@microsoft.com' }] },
    });
  });

  test('makes a group and changes its members', async () => {
    const found = await scim('GET', `/Groups?excludedAttributes=members&${filtered('displayName eq "Sales"')}`);
    expect(found.json).toMatchObject({ totalResults: 0 });
    const made = await scim('POST', '/Groups', {
      schemas: [GROUP, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      ...{ externalId: '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159', displayName: 'Sales', meta: { resourceType: 'Group' } },
    });
    groupId = made.json.id;
    const value = [{ $ref: null, value: userId }];
    const added = await patch(`/Groups/${groupId}`, { op: 'Add', path: 'members', value: [...value, ...value] });
    expect(added.status).toBe(204);
    expect((await scim('GET', `/Users/${userId}`)).json).toMatchObject({
      groups: [{ value: groupId, display: 'Sales' }],
    });
    const asked = `id eq "${groupId}" and members eq "${userId}"`;
    expect((await scim('GET', `/Groups?attributes=id&${filtered(asked)}`)).json).toMatchObject({ totalResults: 1 });
    expect((await patch(`/Groups/${groupId}`, { op: 'Remove', path: 'members', value })).status).toBe(204);
    expect((await scim('GET', `/Groups/${groupId}`)).json).not.toHaveProperty('members');
  });

  test('deactivates with a text, and deletes', async () => {
    const ended = await patch(`/Users/${userId}`, { op: 'Replace', path: 'active', value: 'False' });
    expect(ended.json).toMatchObject({ active: false });
    for (const path of [`/Users/${userId}`, `/Groups/${groupId}`]) {
      expect((await scim('DELETE', path)).status).toBe(204);
      expect((await scim('GET', path)).status).toBe(404);
    }
  });
});

describe('Okta', () => {
  const NAME = 'test.user@okta.local';
  const BODY = {
    ...{ schemas: [USER], userName: NAME, name: { givenName: 'Test', familyName: 'User' }, displayName: 'Test User' },
    emails: [{ primary: true, value: NAME, type: 'work' }],
    ...{ locale: 'en-US', externalId: '00ujl29u0le5T6Aj10h7', groups: [], password: '1mz050nq', active: true },
  };
  let userId = '';

  test('tests the connection by the first users', async () => {
    const { status, json } = await scim('GET', '/Users?startIndex=1&count=2');
    expect([status, json.itemsPerPage, json.Resources.length]).toEqual([200, 2, 2]);
  });

  test('makes and replaces a user', async () => {
    const asked = await scim('GET', `/Users?${filtered(`userName eq "${NAME}"`)}&startIndex=1&count=100`);
    expect(asked.json).toMatchObject({ totalResults: 0, startIndex: 1 });
    const made = await scim('POST', '/Users', BODY);
    expect(made.status).toBe(201);
    userId = made.json.id;
    const again = await scim('POST', '/Users', BODY);
    expect(again).toMatchObject({ status: 409, json: { scimType: 'uniqueness', status: '409' } });
    const renamed = {
      ...BODY,
      id: userId,
      name: { givenName: 'Another', familyName: 'User' },
      displayName: 'Another User',
    };
    const replaced = await scim('PUT', `/Users/${userId}`, { ...renamed, meta: { resourceType: 'User' } });
    expect(replaced).toMatchObject({ status: 200, json: { id: userId, displayName: 'Another User' } });
  });

  test('pushes a group', async () => {
    const made = await scim('POST', '/Groups', { schemas: [GROUP], displayName: 'Test SCIMv2', members: [] });
    const path = `/Groups/${made.json.id}`;
    const member = { value: userId, display: NAME };
    const renamed = { op: 'replace', value: { id: made.json.id, displayName: 'Test SCIMv2 renamed' } };
    expect((await patch(path, renamed)).status).toBe(204);
    const moved = await patch(
      path,
      { op: 'remove', path: `members[value eq "${userId}"]` },
      { op: 'add', path: 'members', value: [member] },
    );
    expect(moved.status).toBe(204);
    expect((await scim('GET', path)).json).toMatchObject({
      displayName: 'Test SCIMv2 renamed',
      members: [{ value: userId, $ref: expect.stringContaining(`/scim/v2/Users/${userId}`) }],
    });
    const whole = { schemas: [GROUP], id: made.json.id, displayName: 'Test SCIMv2', members: [] };
    expect((await scim('PUT', path, whole)).json).not.toHaveProperty('members');
    expect((await scim('DELETE', path)).status).toBe(204);
  });

  test('deactivates and activates', async () => {
    expect((await patch(`/Users/${userId}`, { op: 'replace', value: { active: false } })).json).toMatchObject({
      active: false,
    });
    expect((await scim('GET', `/Users/${userId}`)).json).toMatchObject({ active: false });
    expect((await patch(`/Users/${userId}`, { op: 'replace', value: { active: true } })).json).toMatchObject({
      active: true,
    });
  });
});

test('a deactivation at the provider ends the web session, the queue and the key at once', async () => {
  const password = 'a long and winding road';
  const account = { email: 'nora@example.com', fullName: 'Nora', role: ROLES.member, password };
  const nora = network.clientOf(await network.realmService.createUser(newCall(), { subdomain: '', ...account }));
  const signedIn = await nora.callRaw({
    ...{ method: 'POST', path: '/accounts/login', form: { username: account.email, password } },
    headers: { authorization: null },
  });
  const cookie = (signedIn.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ');
  const bySession = () =>
    nora.callRaw({ method: 'GET', path: '/json/users/me', headers: { authorization: null, cookie } });
  expect((await bySession()).status).toBe(200);
  const queue = await nora.events();
  // No such event exists: the wait ends with the queue.
  const following = queue.next('nothing').then(
    () => 'an event',
    () => 'ended',
  );
  await patch(`/Users/${nora.userId}`, { op: 'Replace', path: 'active', value: 'False' });
  expect((await bySession()).status).toBe(401);
  expect((await nora.callRaw({ method: 'GET', path: '/api/v1/users/me' })).json).toMatchObject({
    code: 'USER_DEACTIVATED',
  });
  expect(await following).toBe('ended');
});
