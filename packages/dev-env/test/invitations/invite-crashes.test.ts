import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listInvitations, listUsers, sendInvitations } from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import { type RawAnswer, TestNetwork } from '../../src';
import { killAt, type Step } from '../kill-at';
import { mailedKey } from '../mail-folder';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'parley-crashes-'));
const MAILS = path.join(DATA_DIR, 'mail');

let network: TestNetwork;
beforeAll(async () => {
  await mkdir(MAILS);
  const settings = { DATA_DIR };
  network = await TestNetwork.create({
    settings,
    replicas: { realm: 2, invites: 2 },
    joint: ['realm', 'invites'],
  });
});
afterAll(async () => {
  await network.stop();
  await rm(DATA_DIR, { recursive: true });
});

function accept(key: string, name: string, password = 'correct horse battery'): Promise<RawAnswer> {
  const form = { key, full_name: name, password };
  const headers = { authorization: null };
  return network.iris.callRaw({ method: 'POST', path: '/api/v1/invites/accept', form, headers });
}

/** Asks again while the services are coming back. */
function acceptAgain(...of: Parameters<typeof accept>): Promise<RawAnswer> {
  return until(async () => {
    const answer = await accept(...of);
    return answer.status !== 503 && answer;
  });
}

interface Traces {
  accounts: number;
  subscriptions: number;
  messagesToThem: number;
  messagesToReferrer: number;
  openInvitations: number;
}

/** The traces of an acceptance. */
async function tracesOf(name: string, email: string, referrerId: number): Promise<Traces> {
  await network.settle();
  const realm = network.database('realm');
  const accounts = await realm.query<{ id: number }>('select id from user_account where delivery_email = $1', [email]);
  const userId = accounts[0]?.id ?? 0;
  const directs = (to: number, about: string) =>
    network.database('messages').query(
      `select m.id from message m join direct_conversation d on d.realm_id = m.realm_id and d.id = m.conversation_id
       where $1 = any(d.participant_ids) and m.content like $2`,
      [to, about],
    );
  const { invites } = await network.iris.call(listInvitations, {});
  return {
    accounts: accounts.length,
    subscriptions: (await realm.query('select 1 from subscription where user_id = $1', [userId])).length,
    messagesToThem: (await directs(userId, '%')).length,
    messagesToReferrer: (await directs(referrerId, `%${name}%`)).length,
    openInvitations: invites.filter((invitation) => invitation.email === email).length,
  };
}

async function invite(email: string): Promise<string> {
  await network.iris.call(sendInvitations, {
    invitee_emails: email,
    stream_ids: [],
    include_realm_default_subscriptions: true,
  });
  return mailedKey(MAILS, email);
}

const accepting: Step = { table: 'invitation', on: 'update', when: `new.state = 'accepting'`, at: 'commit' };
const used = (at: Step['at']): Step => ({ table: 'invitation', on: 'update', when: `new.state = 'used'`, at });
const made = (at: Step['at']): Step => ({ table: 'invited_account', on: 'insert', when: 'true', at });

describe('an invitation that is accepted makes one account, with one welcome and one notice to its sender,', () => {
  let expected: Traces;
  beforeAll(async () => {
    const key = await invite('calm@example.org');
    expect((await accept(key, 'Calm Carla')).status).toBe(200);
    expected = await tracesOf('Calm Carla', 'calm@example.org', network.iris.userId);
    expect(expected).toMatchObject({ accounts: 1, messagesToReferrer: 1, openInvitations: 0 });
    expect(expected.messagesToThem).toBeGreaterThan(0);
    expect(expected.subscriptions).toBeGreaterThan(0);
  });

  test.each<[string, 'invites' | 'realm', 'invites' | 'realm', Step]>([
    ['invites is killed once it has noted that it begins', 'invites', 'invites', accepting],
    ['invites is killed while realm makes the account', 'invites', 'realm', made('commit')],
    ['invites is killed before it notes that there is an account', 'invites', 'invites', used('statement')],
    ['invites is killed once it has noted that there is an account', 'invites', 'invites', used('commit')],
    ['realm is killed before it has made the account', 'realm', 'realm', made('statement')],
    ['realm is killed once it has made the account', 'realm', 'realm', made('commit')],
  ])('when %s and it is accepted again', async (title, victim, where, step) => {
    const name = `New ${title.replace(/\W/g, '').slice(-30)}`;
    const email = `${name.slice(4).toLowerCase()}@example.org`;
    const key = await invite(email);
    const replicas = network.replicas[victim];
    let first: Promise<RawAnswer> | undefined;
    await killAt(network.database(where), step, replicas, async () => {
      first = accept(key, name);
    });
    await Promise.all(replicas.map((replica) => replica.start()));
    await first;

    const { status, json } = await acceptAgain(key, name);
    expect({ status, json }).toMatchObject({ status: 200, json: { delivery_email: email } });
    expect(await tracesOf(name, email, network.iris.userId)).toEqual(expected);
    const stranger = await acceptAgain(key, 'Somebody Else', 'some other long password');
    expect(stranger.json).toMatchObject({ result: 'error' });
    expect(stranger.json).not.toHaveProperty('api_key');
    expect(await tracesOf(name, email, network.iris.userId)).toEqual(expected);
  });
});

describe('a user who joins at the same time as many others', () => {
  const PEOPLE = 8;

  test.each(['invites', 'realm'] as const)('has one account in the end, though %s is killed', async (service) => {
    const { iris } = network;
    const emails = Array.from({ length: PEOPLE }, (_, index) => `crowd-${service}-${index}@example.org`);
    await iris.call(sendInvitations, { invitee_emails: emails.join(','), stream_ids: [] });
    const keys = await Promise.all(emails.map((email) => mailedKey(MAILS, email)));
    const joinAll = (join: typeof accept) =>
      Promise.all(keys.map((key, index) => join(key, `Crowd of ${service} ${index}`)));
    const joining = joinAll(accept);
    await untilSomebodyHasJoined(service);
    const replicas = network.replicas[service];
    await Promise.all(replicas.map((replica) => replica.kill()));
    await Promise.all(replicas.map((replica) => replica.start()));
    const early = await joining;
    // Calls with lost answers are repeated, unless the service is unreachable for longer than a request waits.
    for (const { status } of early) expect([200, 503]).toContain(status);

    const answers = await joinAll(acceptAgain);
    expect(answers.map(({ status }) => status)).toEqual(emails.map(() => 200));
    await network.settle();
    const { members } = await iris.call(listUsers, {});
    expect(members.filter(({ full_name: name }) => name.startsWith(`Crowd of ${service} `))).toHaveLength(PEOPLE);
    const states = await network
      .database('invites')
      .query('select distinct state from invitation where email = any($1)', [emails]);
    expect(states).toEqual([{ state: 'used' }]);
  });

  /** So that the others are on their way. */
  async function untilSomebodyHasJoined(service: string): Promise<void> {
    const joined = `select 1 from user_account where delivery_email like $1`;
    await until(async () => (await network.database('realm').query(joined, [`crowd-${service}-%`])).length > 0);
  }
});
