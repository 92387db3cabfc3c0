import { acceptInvitation, listUsers, sendInvitations, testWelcomeMessage } from '@parley/gateway/endpoints';
import { showKeys } from '@parley/invites/keys/show-keys';
import { silentLogger } from '@parley/shared/service';
import { systemClock } from '@parley/shared/values';
import { TestNetwork } from '../src';
import { INVITATION_KEY_SECRET } from '../src/network/plan';

const PASSWORD = 'correct horse battery staple';
const PEOPLE = 12;

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ processes: ['invites', 'realm'] });
});
afterAll(() => network?.stop());

/** The keys of all open invitations, by address. */
async function keysByEmail(): Promise<Map<string, string>> {
  const db = network.database('invites');
  const rows = await db.query<{ id: number; email: string; realmId: number }>(
    'select id, email, realm_id as "realmId" from invitation order by id',
  );
  const ctx = { db, clock: systemClock, log: silentLogger, config: { INVITATION_KEY_SECRET } as never };
  const ids = rows.map(({ id }) => id);
  const keys = await showKeys(ctx, { realmId: rows[0]?.realmId as number, kind: 'invitation', ids });
  return new Map(rows.map(({ id, email }) => [email, keys.get(id) as string]));
}

test('whichever process dies while people join, each of them has one account in the end', async () => {
  const { dan, iris, replicas } = network;
  const emails = Array.from({ length: PEOPLE }, (_, index) => `new${index}@example.org`);
  await dan.call(sendInvitations, { invitee_emails: emails.join(','), stream_ids: [] });
  const keys = await keysByEmail();
  const joinAll = () =>
    Promise.allSettled(
      emails.map((email, index) =>
        dan.call(acceptInvitation, { key: keys.get(email) as string, full_name: `New ${index}`, password: PASSWORD }),
      ),
    );
  for (const service of ['invites', 'realm'] as const) {
    const [replica] = replicas[service];
    const joining = joinAll();
    await untilSomebodyHasJoined(service === 'invites' ? 1 : 4);
    await replica?.kill();
    await replica?.start();
    await joining;
  }
  const answers = await joinAll();
  expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 'fulfilled'));
  await network.settle();
  const { members } = await iris.call(listUsers, {});
  expect(members.filter(({ full_name: name }) => /^New \d+$/.test(name))).toHaveLength(PEOPLE);
  const states = await network.database('invites').query('select distinct state from invitation');
  expect(states).toEqual([{ state: 'used' }]);
});

/** So that the others are on their way. */
async function untilSomebodyHasJoined(least: number): Promise<void> {
  for (;;) {
    const rows = await network.database('realm').query('select 1 from invited_account');
    if (rows.length >= least) return;
  }
}

test('the welcome bot shows an administrator what it would say', async () => {
  const { iris, dan } = network;
  const { message_id: id } = await iris.call(testWelcomeMessage, {
    welcome_message_custom_text: 'Lunch is at **noon**.',
  });
  expect(id).toBeGreaterThan(0);
  const text = { welcome_message_custom_text: 'Hi' };
  expect(await dan.expectError('UNAUTHORIZED_PRINCIPAL', testWelcomeMessage, text)).toMatchObject({
    msg: 'Must be an organization administrator',
  });
  expect(await iris.expectError('BAD_REQUEST', testWelcomeMessage, { welcome_message_custom_text: ' ' })).toMatchObject(
    {
      msg: 'Message must not be empty',
    },
  );
});
