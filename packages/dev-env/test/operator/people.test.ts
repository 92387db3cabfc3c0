import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getMessages, getOwnUser, sendMessage } from '@parley/gateway/endpoints';
import type { Terminal } from '@parley/operator/command/command';
import { runCommand } from '@parley/operator/run-command';
import { TestNetwork } from '../../src';
import { eg } from '../../src/cast/eg';
import { mailsTo } from '../mail-folder';
import { operatorConfig } from './operator-config';

let network: TestNetwork;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'people-'));
  network = await TestNetwork.create({ settings: { DATA_DIR: folder } });
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await network.stop();
});

/** The command's output with --json; quotes keep words together. */
async function admin(line: string, terminal?: Terminal) {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? (bare as string));
  const addressed = words.map((word) => word.replaceAll('@', '@example.com'));
  return JSON.parse(await runCommand([...addressed, '--json'], operatorConfig(network), terminal));
}

const ofHome = (line: string) => admin(`${line} --realm '${eg.home.subdomain}'`);

async function lastAct() {
  await network.settle();
  const { entries } = await ofHome('audit list --limit 1 --actor operator');
  return entries[0];
}

describe('accounts', () => {
  test('get another name, and another address without a confirmation', async () => {
    await ofHome("user rename --email faye@ --name 'Faye Fox'");
    expect(await network.faye.call(getOwnUser, {})).toMatchObject({ full_name: 'Faye Fox' });
    expect(await lastAct()).toMatchObject({ act: 'update-user', by: expect.stringMatching(/^operator/) });
    await ofHome('user email --email faye@ --to fox@');
    expect(await ofHome('user show --email fox@')).toMatchObject({ email: 'fox@example.com', full_name: 'Faye Fox' });
    await ofHome('user email --email fox@ --to faye@');
    await expect(ofHome('user email --email faye@ --to dan@')).rejects.toThrow(/already/i);
  });
});

test('an account is created with a mail by which its holder sets the first password', async () => {
  await mkdir(path.join(folder, 'mail'), { recursive: true });
  await ofHome('user create --email mila@ --name Mila --mail-link yes');
  const [mail] = (await mailsTo(path.join(folder, 'mail'), 'mila@example.com')) as [string];
  expect(mail).toMatch(/^Subject: Welcome to /m);
  const link = /https?:\/\/[^/\s]+(\/accounts\/password\/reset\/[\w-]+)/.exec(mail)?.[1] as string;
  const send = (method: string, at: string, form?: Record<string, string>) =>
    network.dan.callRaw({ method, path: at, ...(form && { form }), headers: { authorization: null } });
  expect((await send('GET', link)).text).toContain('mila@example.com');
  const password = 'a long and winding road';
  expect(await send('POST', link, { password })).toMatchObject({ status: 200 });
  const signedIn = await send('POST', '/accounts/login', { username: 'mila@example.com', password });
  expect(signedIn).toMatchObject({ status: 303, headers: { location: '/' } });
  expect(await send('GET', link)).toMatchObject({ status: 404 });
  const other = "user create --email noor@ --name Noor --password 'another long road' --mail-link yes";
  await expect(ofHome(other)).rejects.toThrow('Give a password, or mail a link to set one');
});

describe('a file of people', () => {
  const file = (text: string) => {
    const place = path.join(folder, 'people.csv');
    writeFileSync(place, text);
    return `user import --file ${place} --welcome no`;
  };
  const rows =
    'email,name,role\nnew1@example.org,New One,\n"new2@example.org","Two, New",300\ndan@example.com,Dan,400\n';

  test('is checked first: nothing is created, and errors name their line', async () => {
    expect(await ofHome(`${file(rows)} --dry-run yes`)).toEqual({
      ...{ is_dry_run: true, rows: 3, existing: 1, created: 0, to_create: 2, errors: [] },
    });
    const printed: string[] = [];
    const terminal = { print: async (text: string) => void printed.push(text), say: () => {} };
    const wrong = admin(
      `${file(`${rows}no address,X,\nnew1@example.org,Y,\nz@example.org,Z,7\n`)} --realm '${eg.home.subdomain}'`,
      terminal,
    );
    await expect(wrong).rejects.toThrow('3 rows are wrong; line 5: "no address" is no e-mail address');
    expect(JSON.parse(printed.join(''))).toMatchObject({
      created: 0,
      errors: [
        { line: 5, error: '"no address" is no e-mail address' },
        { line: 6, error: 'new1@example.org is on line 2 already' },
        { line: 7, error: expect.stringContaining('the role must be one of') },
      ],
    });
    await expect(ofHome('user show --email new1@.org')).rejects.toThrow();
    await expect(ofHome(file('name\nX\n'))).rejects.toThrow('the first line must name the columns');
    await expect(ofHome('user import --file nowhere.csv')).rejects.toThrow('there is no file nowhere.csv');
  });

  test('makes accounts, and a second time none', async () => {
    const said: string[] = [];
    const terminal = { print: async () => {}, say: (line: string) => void said.push(line) };
    const made = await admin(`${file(rows)} --realm '${eg.home.subdomain}'`, terminal);
    expect(made).toEqual({ is_dry_run: false, rows: 3, existing: 1, created: 2, to_create: 0, errors: [] });
    expect(said.at(-1)).toBe('2 of 2 (100 %)');
    const { entries } = await ofHome('audit list');
    const added = entries.filter(
      ({ act, after }: { act: string; after: string }) => act === 'create-user' && /new[12]@example/.test(after),
    );
    expect(added).toMatchObject([{ by: 'operator' }, { by: 'operator' }]);
    const { users } = await ofHome('user list --kind people');
    expect(users).toContainEqual(
      expect.objectContaining({ email: 'new2@example.org', full_name: 'Two, New', role: 300 }),
    );
    expect(await ofHome(file(rows))).toMatchObject({ existing: 3, created: 0, errors: [] });
    expect(await lastAct()).toMatchObject({ act: 'create-user', by: 'operator' });
  });
});

test('people get into channels and out of them', async () => {
  const { channel_id } = await ofHome('channel create --name tea');
  expect(await ofHome('channel add --name tea --users dan@,eve@')).toEqual({ channel_id, added: 2 });
  expect(await ofHome('channel add --name tea --users dan@')).toEqual({ channel_id, added: 0 });
  expect(await ofHome('channel show --name tea')).toMatchObject({ subscribers: 2 });
  expect(await ofHome('channel remove --name tea --users dan@,faye@')).toEqual({ channel_id, removed: 1 });
  expect(await ofHome('channel show --name tea')).toMatchObject({ subscribers: 1 });
  await expect(ofHome('channel add --name nowhere --users dan@')).rejects.toThrow('there is no channel "nowhere"');
  await expect(ofHome('channel add --name tea --users nobody@')).rejects.toThrow('No such user: nobody@example.com');
});

test('groups are made, listed, shown, changed and taken out of use', async () => {
  const { group_id } = await ofHome("group create --name cooks --description 'Who cooks' --users dan@");
  const shown = { group_id, name: 'cooks', description: 'Who cooks', is_system: false, is_deactivated: false };
  expect((await ofHome('group list')).groups).toContainEqual({ ...shown, members: 1, subgroups: 0 });
  expect(await ofHome('group add --name cooks --users dan@,eve@')).toEqual({ group_id, added: 1 });
  const { members } = await ofHome('group show --name cooks');
  expect(members.map(({ email }: { email: string }) => email).sort()).toEqual([eg.dan.email, eg.eve.email]);
  expect(await ofHome('group remove --name cooks --users dan@,faye@')).toEqual({ group_id, removed: 1 });
  await ofHome('group deactivate --name cooks');
  expect(await lastAct()).toMatchObject({ act: 'deactivate-group', on: `group ${group_id}` });
  expect((await ofHome('group list --deactivated yes')).groups).toContainEqual(
    expect.objectContaining({ group_id, is_deactivated: true }),
  );
  await expect(ofHome('group show --name waiters')).rejects.toThrow('there is no group "waiters"');
});

test('people are invited by mail and by link, and invitations end', async () => {
  expect(await ofHome('invite create --emails guest1@,guest2@ --channels general')).toEqual({ invited: 2 });
  const { url } = await ofHome('invite create --valid-days 7');
  expect(url).toMatch(/^http/);
  await expect(ofHome('invite create --role 450')).rejects.toThrow('Invalid role');
  await expect(ofHome('invite create --emails guest3@ --role 450')).rejects.toThrow('Invalid role');
  for (const days of [0, 99_999_999])
    await expect(ofHome(`invite create --valid-days ${days}`)).rejects.toThrow('for a hundred years at most');
  const { invitations } = await ofHome('invite list');
  expect(invitations).toHaveLength(3);
  for (const { kind, id } of invitations) await ofHome(`invite revoke --kind ${kind} --id ${id}`);
  expect(await ofHome('invite list')).toEqual({ invitations: [] });
});

test('the notification bot sends the given text, in a channel and to everybody', async () => {
  const events = await network.dan.events();
  await ofHome("announce channel --channel general --topic maintenance --content 'Away at **ten**.'");
  const inChannel = await events.next('message');
  expect(inChannel['message']).toMatchObject({ subject: 'maintenance', sender_full_name: 'Notification Bot' });
  const { receivers } = await ofHome("announce everybody --content 'Back again.'");
  expect(receivers).toBeGreaterThanOrEqual(4);
  expect((await events.next('message'))['message']).toMatchObject({
    type: 'private',
    sender_full_name: 'Notification Bot',
  });
  expect(await lastAct()).toMatchObject({ act: 'announce-notice', by: 'operator' });
  await expect(ofHome('announce channel --channel nowhere --topic a --content b')).rejects.toThrow(
    'There is no channel',
  );
});

test('any message is deleted, a direct one too', async () => {
  const { user_id } = await ofHome('user show --email eve@');
  const { id } = await network.dan.call(sendMessage, {
    type: 'direct',
    to: [user_id],
    content: 'secret',
  });
  const events = await network.eve.events();
  expect(await ofHome(`message delete --id ${id}`)).toEqual({ message_id: id });
  expect(await events.next('delete_message')).toMatchObject({ message_id: id });
  const left = await network.eve.call(getMessages, { anchor: 'newest', num_before: 100, num_after: 0 });
  expect(left.messages.map((message) => message.id)).not.toContain(id);
  expect(await lastAct()).toMatchObject({ act: 'delete-message', on: `message ${id}` });
  await expect(ofHome(`message delete --id ${id}`)).rejects.toThrow('there is no message');
});

test('a mail is sent to try the mail server', async () => {
  expect(await admin('mail test --to ops@')).toEqual({ sent_to: 'ops@example.com' });
  const mails = path.join(folder, 'mail');
  expect((await mailsTo(mails, 'ops@example.com'))[0]).toContain('This is a test mail of');
});

test('an organization gets another subdomain, at which its people sign in', async () => {
  const { subdomain } = eg.away;
  const { realm_id } = await admin(`realm rename --realm ${subdomain} --to elsewhere`);
  expect(await admin('realm show --realm elsewhere')).toMatchObject({ realm_id, subdomain: 'elsewhere' });
  await expect(admin(`realm show --realm ${subdomain}`)).rejects.toThrow('there is no organization');
  const taken = admin(`realm rename --realm elsewhere --to '${eg.home.subdomain}'`);
  await expect(taken).rejects.toThrow(/already in use|Subdomain/);
  await admin(`realm rename --realm elsewhere --to ${subdomain}`);
  expect(await network.zoe.call(getOwnUser, {})).toMatchObject({ full_name: eg.zoe.fullName });
});
