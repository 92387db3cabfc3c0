import {
  createInvitationLink,
  deactivateUser,
  listInvitations,
  reactivateUser,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
  sendInvitations,
  updateRealm,
} from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ replicas: { invites: 2 } });
});
afterAll(() => network.stop());
afterEach(async () => {
  const { iris } = network;
  for (const { id, is_multiuse } of await invitesOf(iris))
    await iris.call(is_multiuse ? revokeInvitationLink : revokeInvitation, { invite_id: id });
});

const wanted = (emails: string) => ({ invitee_emails: emails, stream_ids: [] });
const invitesOf = async (person: TestClient) => (await person.call(listInvitations, {})).invites;

async function invite(person: TestClient, email: string): Promise<number> {
  await person.call(sendInvitations, wanted(email));
  return (await invitesOf(person)).find((invitation) => invitation.email === email)?.id as number;
}

test('every change reaches the inviter and administrators only', async () => {
  const { iris, dan, eve, zoe } = network;
  const types = { event_types: ['invites_changed'] };
  const queues = await Promise.all([iris, dan, eve, zoe].map((person) => person.events(types)));

  const id = await invite(dan, 'new@example.org');
  const { invite_link: link } = await iris.call(createInvitationLink, {});
  await dan.call(resendInvitation, { invite_id: id });
  expect(await invitesOf(dan)).toMatchObject([{ id, email: 'new@example.org', invited_by_user_id: dan.userId }]);
  expect(await invitesOf(eve)).toEqual([]);
  const all = await invitesOf(iris);
  expect(all).toMatchObject([{ id }, { is_multiuse: true, link_url: link, invited_by_user_id: iris.userId }]);
  await iris.call(revokeInvitation, { invite_id: id });
  await iris.call(revokeInvitationLink, { invite_id: all[1]?.id as number });
  expect(await invitesOf(iris)).toEqual([]);

  await network.settle();
  const heard = await Promise.all(queues.map(async (queue) => (await queue.rest()).length));
  expect(heard).toEqual([4, 2, 0, 0]);
});

test('a user’s invitations end with their account', async () => {
  const { iris, dan, eve } = network;
  await invite(dan, 'new@example.org');
  await invite(eve, 'other@example.org');
  const queue = await iris.events({ event_types: ['invites_changed'] });
  await iris.call(deactivateUser, { user_id: dan.userId });
  expect(await queue.next('invites_changed')).toMatchObject({ type: 'invites_changed' });
  expect(await invitesOf(iris)).toMatchObject([{ email: 'other@example.org' }]);
  for (const { userId } of [dan, network.robo]) await iris.call(reactivateUser, { user_id: userId });
});

test('invitations of other users or other organizations cannot be managed', async () => {
  const { dan, eve, zoe } = network;
  const invite_id = await invite(dan, 'new@example.org');
  const refused = await eve.expectError('BAD_REQUEST', revokeInvitation, { invite_id });
  expect(refused['msg']).toBe('Must be an organization administrator');
  const elsewhere = await zoe.expectError('BAD_REQUEST', resendInvitation, { invite_id });
  expect(elsewhere['msg']).toBe('No such invitation');
});

test('guests and bots do not invite, nor see who is invited', async () => {
  const { faye, robo } = network;
  expect(await faye.expectError('BAD_REQUEST', listInvitations, {})).toMatchObject({
    msg: 'Not allowed for guest users',
  });
  expect(await robo.expectError('BAD_REQUEST', sendInvitations, wanted('new@example.org'))).toMatchObject({
    msg: 'This endpoint does not accept bot requests.',
  });
});

test('addresses must meet the organization’s rules for accounts', async () => {
  const { iris, dan, eve } = network;
  const mixed = await dan.expectError('INVITATION_FAILED', sendInvitations, wanted(`${eve.email},new@example.org`));
  expect(mixed).toMatchObject({ errors: [[eve.email, 'Already has an account.', false]], sent_invitations: true });
  const wrong = await dan.expectError('INVITATION_FAILED', sendInvitations, wanted('nobody,other@example.org'));
  expect(wrong).toMatchObject({ errors: [['nobody', 'Invalid address.', false]], sent_invitations: false });
  expect(await invitesOf(iris)).toMatchObject([{ email: 'new@example.org' }]);
});

test('the right to make links is the organization’s to give', async () => {
  const { iris, dan } = network;
  expect(await dan.expectError('BAD_REQUEST', createInvitationLink, {})).toMatchObject({
    msg: 'Insufficient permission',
  });
  const [members] = await network
    .database('realm')
    .query<{ id: number }>(`select id from user_group where realm_id = $1 and name = 'role:members'`, [dan.realmId]);
  await iris.call(updateRealm, { create_multiuse_invite_group: { new: members?.id as number } });
  expect((await dan.call(createInvitationLink, {})).invite_link).toMatch(/\/join\/[a-z2-7]{24}\/$/);
});

test('two replicas count mails together', async () => {
  const { iris, dan } = network;
  const mails = async () => {
    const sql = 'select mails from invitation_count where realm_id = $1';
    const [counted] = await network.database('invites').query<{ mails: number }>(sql, [iris.realmId]);
    return counted?.mails ?? 0;
  };
  const before = await mails();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? iris : dan).call(sendInvitations, wanted(`new${index}@example.org`)),
    ),
  );
  expect(await mails()).toBe(before + 20);
});
