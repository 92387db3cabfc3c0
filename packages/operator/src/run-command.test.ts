import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NonexistentSubdomainError, ServiceUnavailableError } from '@parley/shared/errors';
import type { UndeliveredMail } from '@parley/shared/proto';
import { type Implementation, serve } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { explainFailure } from './command/failures';
import { parseCommandLine } from './command-line';
import { COMMANDS } from './commands';
import { loadConfig } from './config';
import { runCommand } from './run-command';

const ACCOUNT = { realmId: 2, userId: 8, email: 'iris@example.com', apiKey: 'k'.repeat(32) };

/** Runs a command against a realm service with these answers. */
async function run(words: string[], implementation: Partial<Implementation<'realm'>> = {}): Promise<string> {
  const server = await serve({
    service: 'realm',
    implementation: implementation as Implementation<'realm'>,
    address: '127.0.0.1:0',
    log: silentLogger,
  });
  try {
    return await runCommand(words, loadConfig({ REALM_ADDRESS: server.address, npm_lifecycle_event: 'admin' }));
  } finally {
    await server.stop(0);
  }
}

const REALM = [
  'realm',
  'create',
  '--name',
  'Acme',
  '--subdomain',
  '',
  '--owner-email',
  'iris@example.com',
  '--owner-name',
  'Iris',
];
const USER = ['user', 'create', '--realm', 'acme', '--email', 'dan@example.com', '--name', 'Dan'];

describe('the operator’s command', () => {
  test('makes an organization and prints one line of JSON', async () => {
    let asked: unknown;
    const output = await run([...REALM, '--owner-password', 'secret', '--json'], {
      createRealm: async (_call, request) => {
        asked = request;
        return ACCOUNT;
      },
    });
    expect(output.match(/\n/g)).toHaveLength(1);
    expect(JSON.parse(output)).toEqual({ realm_id: 2, user_id: 8, email: ACCOUNT.email, api_key: ACCOUNT.apiKey });
    expect(asked).toMatchObject({
      name: 'Acme',
      subdomain: '',
      ownerEmail: 'iris@example.com',
      ownerName: 'Iris',
      ownerPassword: 'secret',
    });
  });

  test.each([
    ['a member by default', [], { role: 400 }],
    ['with a role', ['--role', '200'], { role: 200 }],
    ['who may make accounts', ['--can-create-users', 'yes'], { mayCreateUsers: true }],
    [
      'a bot that calls a URL',
      [
        '--bot-type',
        '3',
        '--bot-owner',
        'iris@example.com',
        '--payload-url',
        'https://example.com/',
        '--interface',
        '1',
      ],
      { botType: 3, botOwnerEmail: 'iris@example.com', payloadUrl: 'https://example.com/', interface: 1 },
    ],
  ])('makes an account: %s', async (_what, options, expected) => {
    let asked: unknown;
    const output = await run([...USER, ...options, '--json'], {
      createUser: async (_call, request) => {
        asked = request;
        return ACCOUNT;
      },
    });
    expect(JSON.parse(output)).toEqual({ user_id: 8, email: ACCOUNT.email, api_key: ACCOUNT.apiKey });
    expect(asked).toMatchObject({ subdomain: 'acme', email: 'dan@example.com', fullName: 'Dan', ...expected });
  });

  test.each([
    [
      'of the given size',
      ['--groups', '7', '--subscriptions-per-user', '9', '--seed', '5'],
      { groups: 7, subscriptionsPerUser: 9, seed: 5 },
    ],
    ['with what it leaves open', [], { seed: 1 }],
  ])('fills an organization %s', async (_how, options, expected) => {
    let asked: unknown;
    const output = await run(
      ['realm', 'fill', '--realm', 'acme', '--users', '100', '--channels', '20', ...options, '--json'],
      {
        fillRealm: async (_call, request) => {
          asked = request;
          return { realmId: 2, users: 100, channels: 20, groups: 7, subscriptions: 1_000 };
        },
      },
    );
    expect(JSON.parse(output)).toEqual({ realm_id: 2, users: 100, channels: 20, groups: 7, subscriptions: 1_000 });
    expect(asked).toEqual({ subdomain: 'acme', users: 100, channels: 20, ...expected });
  });

  test.each([
    [
      'with the given options',
      ['--topics', '7', '--direct', '9', '--seed', '5'],
      { topics: 7, directConversations: 9, seed: 5 },
    ],
    ['with what it leaves open', [], { seed: 1 }],
  ])('fills an organization with messages, %s', async (_how, options, expected) => {
    let asked: unknown;
    const server = await serve({
      service: 'messages',
      implementation: {
        fillMessages: async (_call, request) => {
          asked = request;
          return { realmId: 2, messages: 100, topics: 7, directConversations: 9, mentions: 3 };
        },
      } as Partial<Implementation<'messages'>> as Implementation<'messages'>,
      address: '127.0.0.1:0',
      log: silentLogger,
    });
    const words = ['messages', 'fill', '--realm', 'acme', '--messages', '100', ...options, '--json'];
    const output = await runCommand(words, loadConfig({ MESSAGES_ADDRESS: server.address }));
    await server.stop(0);
    expect(JSON.parse(output)).toEqual({ realm_id: 2, messages: 100, topics: 7, direct_conversations: 9, mentions: 3 });
    expect(asked).toEqual({ subdomain: 'acme', messages: 100, ...expected });
  });

  test.each([
    [['--can-create-users', 'yes'], { mayCreateUsers: true }],
    [['--can-change-emails', 'no'], { mayChangeEmails: false }],
  ])('lets an account do what no organization can allow: %j', async (options, rights) => {
    let asked: unknown;
    const output = await run(['user', 'permit', '--realm', '', '--email', 'dan@example.com', ...options, '--json'], {
      permitUser: async (_call, request) => {
        asked = request;
        return { userId: 8 };
      },
    });
    expect(JSON.parse(output)).toEqual({ user_id: 8 });
    expect(asked).toEqual({ subdomain: '', email: 'dan@example.com', ...rights });
  });

  describe('lists mails that could not be sent', () => {
    const error = '550 no such user';
    const mail = {
      realmId: 2,
      id: 7,
      template: 'email-confirmation',
      recipient: 'dan@example.com',
      attempts: 1,
      error,
    };
    const answer = (mails: { givenUpAtMs: number }[]) => async () => ({ mails: mails as UndeliveredMail[] });
    const givenUp = { ...mail, givenUpAtMs: Date.parse('2030-01-02T03:04:05Z') };
    const listed =
      'realm_id: 2, id: 7, template: email-confirmation, recipient: dan@example.com, attempts: 1, given_up_at: 2030-01-02T03:04:05.000Z, error: 550 no such user';

    test('a line each', async () => {
      expect(await run(['realm', 'mails'], { listUndeliveredMails: answer([givenUp]) })).toBe(`mails:\n  ${listed}\n`);
      expect(await run(['realm', 'mails'], { listUndeliveredMails: answer([]) })).toBe('mails: none\n');
    });

    test('as JSON, those of invitations too', async () => {
      const server = await serve({
        service: 'invites',
        implementation: { listUndeliveredMails: answer([givenUp]) } as Partial<
          Implementation<'invites'>
        > as Implementation<'invites'>,
        address: '127.0.0.1:0',
        log: silentLogger,
      });
      const output = await runCommand(['invites', 'mails', '--json'], loadConfig({ INVITES_ADDRESS: server.address }));
      await server.stop(0);
      expect(JSON.parse(output)).toMatchObject({ mails: [{ realm_id: 2, id: 7, attempts: 1, error }] });
    });

    test('and those about missed messages', async () => {
      const server = await serve({
        service: 'scheduler',
        implementation: { listUndeliveredMails: answer([givenUp]) } as Partial<
          Implementation<'scheduler'>
        > as Implementation<'scheduler'>,
        address: '127.0.0.1:0',
        log: silentLogger,
      });
      const output = await runCommand(['mail', 'missed'], loadConfig({ SCHEDULER_ADDRESS: server.address }));
      await server.stop(0);
      expect(output).toBe(`mails:\n  ${listed}\n`);
    });
  });

  test('passes on why the service refused', async () => {
    const refused = run(USER, {
      createUser: async () => {
        throw new NonexistentSubdomainError();
      },
    });
    await expect(refused).rejects.toThrow('Invalid subdomain: there is no organization "acme"; realm list tells');
  });

  test.each([
    [['key', 'destroy'], 'there is no command "key destroy": see --help; key goes with create, list, revoke'],
    [['key'], 'there is no command "key": see --help; key goes with create, list, revoke'],
    [['realm', 'constructor'], 'there is no command "realm constructor": see --help'],
    [
      ['constructor', 'list'],
      'there is no command "constructor list": see --help; there are commands for realm, user,',
    ],
    [
      ['user', 'list', '--realm', 'acme', '--kind', 'cats'],
      '--kind must be one of all, people, bots, deactivated (it is "cats")',
    ],
    [['user', 'show', '--realm', 'x'.repeat(10_001), '--email', 'e'], '--realm is too long (limit: 10000 characters)'],
    [['user', 'create', '--realm', 'acme'], 'missing: --email, --name; see --help'],
    [
      ['realm', 'fill', '--realm', 'acme', '--users', 'many', '--channels', '3'],
      '--users must be a number (it is "many")',
    ],
    [[...USER, '--role', 'boss'], '--role must be a number (it is "boss")'],
    [[...USER, '--can-create-users', 'maybe'], '--can-create-users must be yes or no (it is "maybe")'],
    [[...USER, '--colour', 'red'], /^unknown option '--colour'; see --help$/],
    [[...USER, '--rol', '300'], /^unknown option '--rol' \(Did you mean --role\?\); see --help$/],
    [[...USER, '--role', '-5'], '--role must be a number (it is "-5")'],
    [[...USER, '--role', '9'.repeat(10)], '--role is too large (limit: 999999999)'],
    [['message', 'delete', '--realm', 'acme', '--id', '9'.repeat(17)], '--id is too large (limit: 9007199254740991)'],
    [['realm', 'export', '--realm', 'acme', '--to', ''], '--to must name a file'],
    [['audit', 'follow', '--position-file', ''], '--position-file must name a file'],
    [[...USER, '--password', '--json'], /^--password must have a value; see --help$/],
    [[...USER, 'Dan'], /^too many arguments for 'create'\. .*\d; see --help$/],
    [['user', 'permit', '--realm', 'acme', '--email', 'e'], 'nothing to change: give --can-create-users or'],
    [
      ['realm', 'set', '--realm', 'acme', '--setting', 'password_sign_in', '--value', 'nobody'],
      'password_sign_in must be one of all, owners, off (it is "nobody")',
    ],
    [
      ['channel', 'create', '--realm', 'acme', '--name', 'board', '--private', 'yes', '--users', ' , '],
      'a private channel needs --users',
    ],
  ])('refuses %j', async (words, reason) => {
    await expect(run(words)).rejects.toThrow(reason);
  });

  describe('explains itself', () => {
    test.each([[['--help']], [[]], [['constructor', '--help']]])('as a whole: %j', async (words) => {
      const help = await run(words);
      expect(help).toContain('realm create --name NAME --subdomain SUBDOMAIN --owner-email EMAIL');
      for (const [subject, { actions }] of Object.entries(COMMANDS)) {
        for (const action of Object.keys(actions)) expect(help).toContain(`-- ${subject} ${action} `);
      }
    });

    test('a subject at a time', async () => {
      const help = await run(['key', '--help']);
      expect(help).toContain('key revoke --realm SUBDOMAIN --email EMAIL --id N [--json]');
      expect(help).not.toContain('realm create');
    });

    test('a command at a time, with examples', async () => {
      const help = await run(['user', 'create', '--help']);
      expect(help).toContain(
        'user create --realm SUBDOMAIN --email EMAIL --name NAME [--role 400] [--password PASSWORD]',
      );
      expect(help).toContain("npm run -s admin -- user create --realm acme --email bo@acme.org --name 'Bo'");
      expect(help).not.toContain('user permit');
    });

    test('with lines that work where it runs', async () => {
      const help = await runCommand(['user', 'create', '--help'], loadConfig({}));
      expect(help).toContain("\n  parley user create --realm acme --email bo@acme.org --name 'Bo'\n");
      expect(help).not.toContain('npm');
    });

    test('in docs/run.md, too, with all that there is', () => {
      const manual = readFileSync(path.resolve(__dirname, '../../../docs/run.md'), 'utf8');
      for (const [subject, { actions }] of Object.entries(COMMANDS)) {
        const [row = ''] = manual.match(new RegExp(`^\\| \`${subject}\` \\|.*$`, 'm')) ?? [];
        expect([...row.matchAll(/`([^`-]+)`/g)].map(([, word]) => word)).toEqual(
          expect.arrayContaining([subject, ...Object.keys(actions)]),
        );
      }
    });

    test('with examples that can be typed', () => {
      for (const [subject, { actions }] of Object.entries(COMMANDS)) {
        for (const [action, command] of Object.entries(actions)) {
          for (const example of command.examples ?? []) {
            const words = [...example.matchAll(/'([^']*)'|(\S+)/g)].map(
              ([, quoted, bare]) => quoted ?? (bare as string),
            );
            expect(parseCommandLine([subject, ...action.split(' '), ...words], 'parley')).toMatchObject({ command });
          }
        }
      }
    });
  });

  test('names the service that is unreachable, or at another’s address', async () => {
    const server = await serve({
      service: 'realm',
      implementation: {
        getOutboxLag: async () => ({ waitingEvents: 0, oldestWaitingMs: 0, rowsToRefill: 0 }),
      } as Partial<Implementation<'realm'>> as Implementation<'realm'>,
      address: '127.0.0.1:0',
      log: silentLogger,
    });
    const status = (address: string) =>
      runCommand(
        ['outbox', 'status'],
        loadConfig({
          ...{ REALM_ADDRESS: server.address, MESSAGES_ADDRESS: server.address },
          ...{ INVITES_ADDRESS: server.address, SCHEDULER_ADDRESS: address },
        }),
      );
    await expect(status('nowhere')).rejects.toThrow('SCHEDULER_ADDRESS must be host:port (it is "nowhere")');
    await expect(status(server.address)).rejects.toThrow(/is none of that kind: realm at .*, messages at/);
    const called = [
      { service: 'realm' as const, address: server.address },
      { service: 'events' as const, address: '127.0.0.1:1' },
    ];
    const explained = await explainFailure(new ServiceUnavailableError(), called, {});
    expect(explained).toEqual(new Error('no events service answers at 127.0.0.1:1'));
    await server.stop(0);
  });

  test('says how to be found when nothing runs', async () => {
    const nowhere = runCommand(USER, loadConfig({ DATA_DIR: '/nonexistent' }));
    await expect(nowhere).rejects.toThrow(
      'nothing runs with the data in /nonexistent: run npm start, or set REALM_ADDRESS',
    );
  });
});
