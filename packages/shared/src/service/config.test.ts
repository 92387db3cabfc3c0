import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import {
  busSettings,
  databaseSettings,
  findSettingFaults,
  hostSettings,
  listenAddress,
  readConfig,
  serviceAddress,
  tlsFilesOf,
  tlsSettings,
} from './config';

describe('a wrong setting is named', () => {
  const settings = {
    LEVEL: z.enum(['a']),
    BOT_KEY_SECRET: z.string().min(32),
    S3_SECRET_ACCESS_KEY: z.string().min(8),
  };

  test('with its value, unless that is a secret', () => {
    const read = () => readConfig(settings, { LEVEL: 'b', BOT_KEY_SECRET: 'hush', S3_SECRET_ACCESS_KEY: 'hush' });
    expect(read).toThrow('(it is "b")');
    expect(read).toThrow('BOT_KEY_SECRET');
    expect(read).not.toThrow('hush');
  });
});

test('all faults are reported together, missing settings apart from wrong ones', () => {
  const settings = { LEVEL: z.enum(['a']), COUNT: z.coerce.number(), ...busSettings, ...tlsSettings };
  const found = findSettingFaults(settings, {
    COUNT: 'x',
    NATS_URL: 'nats://n',
    NATS_CERT_FILE: '/c',
    TLS_KEY_FILE: '/k',
  });
  expect(found.map(({ line, isMissing }) => [line.split(' ', 1)[0], isMissing])).toEqual([
    ['LEVEL', true],
    ['COUNT', false],
    ['TLS_CERT_FILE,', false],
    ['NATS_CERT_FILE', false],
  ]);
  expect(findSettingFaults(settings, { LEVEL: 'a', COUNT: '1', NATS_URL: 'nats://n' })).toEqual([]);
});

test('files for TLS are set together or not at all', () => {
  const files = { TLS_CERT_FILE: 'cert', TLS_KEY_FILE: 'key', TLS_CA_FILE: 'ca' };
  expect(tlsFilesOf(files)).toEqual({ certFile: 'cert', keyFile: 'key', caFile: 'ca' });
  expect(tlsFilesOf({})).toBeUndefined();
  expect(() => tlsFilesOf({ ...files, TLS_CA_FILE: undefined })).toThrow('must be set together');
});

describe('addresses of servers', () => {
  const settings = { LISTEN: listenAddress.optional(), REALM_ADDRESS: serviceAddress.optional() };
  const read = (environment: Record<string, string>) => () => readConfig(settings, environment);

  test.each(['0.0.0.0:50051', 'localhost:0', 'realm.parley_x:50051', '[::1]:65535'])('may be %s', (address) => {
    expect(read({ LISTEN: address, REALM_ADDRESS: address })()).toEqual({ LISTEN: address, REALM_ADDRESS: address });
  });

  test.each(['http://realm:50051', 'realm', ':50051', 'realm:65536', '::1:50051', 'a realm:50051', 'realm:50051/'])(
    'are refused by the name of their setting: not %s',
    (address) => {
      expect(read({ LISTEN: address })).toThrow(`LISTEN must be host:port (it is "${address}")`);
      expect(read({ REALM_ADDRESS: address })).toThrow('REALM_ADDRESS must be host:port, without a scheme');
    },
  );

  test('a service may have several', () => {
    const list = '10.0.0.1:50051,10.0.0.2:50051';
    expect(read({ REALM_ADDRESS: list })()).toEqual({ REALM_ADDRESS: list });
    expect(read({ REALM_ADDRESS: '10.0.0.1:50051,' })).toThrow('REALM_ADDRESS');
    expect(read({ LISTEN: list })).toThrow('LISTEN');
  });
});

describe('EXTERNAL_HOST', () => {
  const read = (EXTERNAL_HOST: string) => readConfig(hostSettings, { EXTERNAL_HOST }).EXTERNAL_HOST;

  test.each(['chat.example.com', 'localhost:9991', '127.0.0.1:80'])('may be %s', (host) => {
    expect(read(host)).toBe(host);
  });

  test.each(['chat.example.com/parley', 'https://chat.example.com', 'chat.example.com/'])(
    'is a name alone: not %s',
    (host) => {
      const text = `neither https:// nor a path, since Parley is served at the root of a name of its own (it is "${host}")`;
      expect(() => read(host)).toThrow(text);
    },
  );
});

describe('a secret may lie in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'settings-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const settings = { ...databaseSettings, ...busSettings, ...tlsSettings, S3_ACCESS_KEY_ID: z.string().optional() };
  const inFile = (text: string) => {
    const file = path.join(folder, 'secret');
    writeFileSync(file, text);
    return file;
  };
  const plain = { DATABASE_URL: 'postgresql://db', NATS_URL: 'nats://nats' };
  const read = (environment: Record<string, string>) => readConfig(settings, { ...plain, ...environment });

  test.each([
    ['NATS_URL', 'nats://user:hush@nats'],
    ['DATABASE_URL', 'postgresql://user:hush@db/x'],
    ['MIGRATION_DATABASE_URL', 'postgresql://owner:hush@db/x'],
    ['S3_ACCESS_KEY_ID', ' with spaces '],
  ])('%s_FILE', (name, value) => {
    for (const end of ['', '\n', '\r\n']) {
      expect(read({ [name]: '', [`${name}_FILE`]: inFile(value + end) })).toMatchObject({ [name]: value });
    }
  });

  test('only secrets, and a setting that is a file already is unchanged', () => {
    const { TLS_KEY_FILE, DATABASE_PREFIX } = read({ TLS_KEY_FILE: '/nowhere', DATABASE_PREFIX_FILE: '/nowhere' });
    expect([TLS_KEY_FILE, DATABASE_PREFIX]).toEqual(['/nowhere', 'parley']);
  });

  test.each([
    [
      'both are set',
      { NATS_URL: 'nats://nats', NATS_URL_FILE: '/x' },
      'NATS_URL and NATS_URL_FILE are both set; only one of them can be',
    ],
    ['there is none', { NATS_URL: '', NATS_URL_FILE: '/nowhere' }, 'NATS_URL_FILE: /nowhere cannot be read (ENOENT)'],
    ['it is a folder', { NATS_URL: '', NATS_URL_FILE: folder }, `NATS_URL_FILE: ${folder} cannot be read (EISDIR)`],
    ['it never ends', { NATS_URL: '', NATS_URL_FILE: '/dev/zero' }, 'NATS_URL_FILE: /dev/zero is longer than 64 KiB'],
    ['it is empty', { NATS_URL: '', NATS_URL_FILE: '/dev/null' }, 'NATS_URL_FILE: /dev/null is empty'],
  ])('which is refused in one line when %s', (_case, environment, line) => {
    expect(() => read(environment)).toThrow(new Error(line));
  });

  test('its content is as secret in errors as that of a variable', () => {
    const wrong = () => read({ NATS_URL: '', NATS_URL_FILE: inFile('http://hush') });
    expect(wrong).toThrow('NATS_URL must be a nats:// address');
    expect(wrong).not.toThrow('hush');
  });
});
