import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig } from '../config';
import { runCommand } from '../run-command';
import { COMPOSE_VARIABLES, checkSettings } from './check-settings';

describe('settings are read as the services read them', () => {
  test('shared settings are no error; missing required settings are a hint, since they may be set elsewhere', async () => {
    const { faults, summary } = await checkSettings({
      LOG_LEVEL: 'debug',
      REALM_ADDRESS: 'realm:50051',
      HOME: '/root',
    });
    expect(faults).toEqual([]);
    expect(summary).toMatch(/^2 given in the environment; to be given elsewhere: /);
    expect(summary).toContain('DATABASE_URL (messages, realm, invites, scheduler)');
    expect(summary).not.toContain('REALM_ADDRESS');
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'of one service',
      { AUDIT_RETENTION_DAYS: '-1' },
      'AUDIT_RETENTION_DAYS Too small: expected number to be >=0 (it is "-1") (realm)',
    ],
    ['of several', { DATABASE_POOL: 'many' }, '(it is "many") (messages, realm, invites, scheduler)'],
    ['of the gateway', { TRUSTED_PROXIES: 'nobody' }, 'TRUSTED_PROXIES '],
    ['of a server without a port', { METRICS_LISTEN: '0.0.0.0:99999' }, 'METRICS_LISTEN must be host:port'],
    ['of services', { REALM_ADDRESS: 'http://realm:50051' }, 'REALM_ADDRESS must be host:port, without a scheme'],
    ['of a bucket', { S3_ENDPOINT: 'minio:9000' }, 'S3_ENDPOINT Invalid URL'],
    ['of a proxy', { IMAGE_PROXY_URL: 'proxy:8080' }, 'IMAGE_PROXY_URL Invalid URL'],
    [
      'of files that belong together',
      { TLS_CERT_FILE: '/x' },
      'TLS_CERT_FILE, TLS_KEY_FILE and TLS_CA_FILE must be set together',
    ],
    [
      'of identities that exclude one another',
      { NATS_URL: 'nats://u:p@n', NATS_NKEY_FILE: '/x' },
      'exclude one another',
    ],
    [
      'in a file that cannot be read',
      { DATABASE_URL_FILE: '/nowhere' },
      'DATABASE_URL_FILE: /nowhere cannot be read (ENOENT)',
    ],
  ])('a wrong one is named: %s', async (_which, environment, line) => {
    const { faults } = await checkSettings(environment);
    expect(faults).toEqual([expect.stringContaining(line)]);
  });

  test('every wrong one is named, and no secret is shown', async () => {
    const { faults } = await checkSettings({
      PORT: 'x',
      BOT_KEY_SECRET: 'hush',
      SMTP_URL: 'http://hush',
      EXTERNAL_HOST: 'a/b',
    });
    expect(faults.map((line) => line.split(' ', 1)[0]).sort()).toEqual([
      'BOT_KEY_SECRET',
      'EXTERNAL_HOST',
      'PORT',
      'SMTP_URL',
    ]);
    expect(faults.join()).not.toContain('hush');
  });

  test('reports unknown names that resemble a setting; in a file all unknown ones', async () => {
    const environment = { NATS_REPLICA: '3', DATABASE_URL_FILES: '/x', HTTP_PROXY: 'x', MAIL: 'x' };
    const resembling = [
      'NATS_REPLICA is no setting; is it NATS_REPLICAS?',
      'DATABASE_URL_FILES is no setting; is it DATABASE_URL_FILE?',
    ];
    expect((await checkSettings(environment)).faults).toEqual(resembling);
    const all = [...resembling, 'HTTP_PROXY is no setting', 'MAIL is no setting'];
    expect((await checkSettings(environment, '.env')).faults).toEqual(all);
  });

  test('the variables of compose are known', async () => {
    const read = (name: string) => readFileSync(path.resolve(__dirname, '../../../..', name), 'utf8');
    const used = ['docker-compose.yml', 'docker-compose.tls.yml'].flatMap((name) => [
      ...read(name).matchAll(/\$\{(\w+)/g),
    ]);
    const names = [...new Set(used.map(([, name]) => name as string))];
    const { faults } = await checkSettings(Object.fromEntries(names.map((name) => [name, ''])), '.env');
    expect(faults).toEqual([]);
    expect(COMPOSE_VARIABLES.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('config check', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('reads the given file, and calls no service while a setting is wrong', async () => {
    const file = path.join(folder, 'wrong.env');
    writeFileSync(file, '# of all services\nDATABASE_POOL=1\nNATS_REPLIKAS="3"\n');
    const printed: string[] = [];
    const terminal = { print: async (text: string) => void printed.push(text), say: () => {} };
    // Nothing runs there.
    const config = loadConfig({ DATA_DIR: folder, DATABASE_POOL: 'ignored' });
    const checked = runCommand(['config', 'check', '--env-file', file, '--json'], config, terminal);
    await expect(checked).rejects.toThrow(/^2 things are wrong: settings: DATABASE_POOL /);
    expect(JSON.parse(printed.join(''))).toMatchObject({
      is_fine: false,
      checks: [{ is: 'wrong' }, { is: 'wrong', detail: 'NATS_REPLIKAS is no setting; is it NATS_REPLICAS?' }],
    });
    await expect(runCommand(['config', 'check'], loadConfig({ DATA_DIR: folder }))).rejects.toThrow('nothing runs');
  });

  test.each([
    ['is none', '/nowhere', 'there is no file /nowhere'],
    ['is a folder', tmpdir(), 'there is no file'],
  ])('refuses a file that %s', async (_what, file, said) => {
    await expect(runCommand(['config', 'check', '--env-file', file], loadConfig({}))).rejects.toThrow(said);
  });

  test('gets the option that Node has, too', () => {
    const root = path.resolve(__dirname, '../../../..');
    const words = ['run', '-s', 'admin', '--', 'config', 'check', '--env-file', '/nowhere'];
    const { status, stderr } = spawnSync('npm', words, { cwd: root, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, 'there is no file /nowhere\n']);
  });
});
