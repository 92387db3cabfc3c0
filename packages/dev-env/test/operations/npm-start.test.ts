import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { testPrefix, testServers } from '@parley/shared/testing';
import { listProcesses } from '../../src/start/list-processes';
import { newSite, ROOT, removeSite, runStart, type StartRun, stopRuns, untilGone } from './run-start';

const LAST_LINE = 'Ctrl-C stops everything';

const linesFor = (output: string, beginnings: RegExp) => output.split('\n').filter((line) => beginnings.test(line));
const commandsIn = (output: string) => linesFor(output, /^(curl|QUEUE=)/);
const keysIn = (output: string) => linesFor(output, /^ {2}\w+@/);

/** Pastes lines into a shell; resolves with what each printed, read as JSON. */
function paste(commands: string[]): Record<string, unknown>[] {
  const output = execFileSync('bash', ['-e', '-c', commands.join('\n')], { encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function stop(run: StartRun, signal: NodeJS.Signals): Promise<void> {
  const processes = [run.pid, ...run.processes()];
  run.kill(signal);
  await run.ended;
  await untilGone(processes);
}

describe('npm start', () => {
  let site: Awaited<ReturnType<typeof newSite>>;
  let run: StartRun;
  let output: string;
  beforeAll(async () => {
    site = await newSite();
    run = runStart(site, ['npm', 'start']);
    output = await run.untilPrinted(LAST_LINE);
  }, 120_000);
  afterAll(async () => {
    await stopRuns();
    removeSite(site);
  });

  test('serves a demo organization, whose printed commands work as they are', () => {
    expect(linesFor(output, /^ready /)).toEqual([`ready http://127.0.0.1:${site.PORT}`]);
    expect(keysIn(output).map((line) => line.trim().split(/ +/).slice(0, 2))).toEqual([
      ['iris@example.com', 'owner'],
      ['dan@example.com', 'member'],
      ['eve@example.com', 'member'],
      ['faye@example.com', 'guest'],
    ]);
    const [me, history, sent, polled] = paste(commandsIn(output));
    expect(me).toMatchObject({ result: 'success', full_name: 'Dan Brooks' });
    // The demo has conversations, some of them with him.
    const { messages } = history as { messages: { sender_full_name: string }[] };
    expect(messages).toHaveLength(6);
    expect(messages.at(-1)).toMatchObject({ type: 'private', sender_full_name: 'Iris Abara' });
    expect(polled).toMatchObject({ events: [{ type: 'message', message: { id: sent?.['id'], content: 'Hello' } }] });
  });

  test('lets the operator make organizations and accounts', () => {
    const owner = ['--owner-email', 'ada@acme.example', '--owner-name', 'Ada', '--owner-password', 'correct horse'];
    const realm = admin(site, 'realm', 'create', '--name', 'Acme', '--subdomain', 'acme', ...owner, '--json');
    expect(JSON.parse(realm.stdout)).toEqual({
      realm_id: expect.any(Number),
      user_id: expect.any(Number),
      email: 'ada@acme.example',
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    });
    const account = ['--realm', 'acme', '--email', 'bo@acme.example', '--name', 'Bo'];
    const user = admin(site, 'user', 'create', ...account, '--json');
    const { email, api_key: key } = JSON.parse(user.stdout);
    const url = `http://127.0.0.1:${site.PORT}/api/v1/users/me`;
    expect(paste([`curl -sS -u ${email}:${key} -H 'Host: acme.localhost' ${url}`])).toMatchObject([
      { full_name: 'Bo' },
    ]);

    const again = admin(site, 'realm', 'create', '--name', 'Acme', '--subdomain', 'acme', ...owner, '--json');
    expect(again).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) });
  }, 60_000);

  test('goes on when another one says in one line that the port or the data directory is in use', async () => {
    const other = await newSite();
    const samePort = await runStart({ ...other, PORT: site.PORT }).ended;
    expect(samePort).toMatchObject({ exitCode: 1, output: '' });
    expect(samePort.complaints).toEqual([
      `npm start: port ${site.PORT} of 127.0.0.1 is in use: choose another one with PORT=...`,
    ]);
    const sameData = await runStart({ ...site, PORT: other.PORT }).ended;
    expect(sameData).toMatchObject({ exitCode: 1, output: '' });
    expect(sameData.complaints).toEqual([`npm start: another npm start is running with the data in ${site.DATA_DIR}`]);
    paste(commandsIn(output));
    removeSite(other);
  }, 60_000);

  test('after it was killed the next one has its data and its users', async () => {
    const [killed] = pidsOf(run, 'dev-env/dist/start.js') as [number];
    const orphans = run.processes().filter((pid) => pid !== killed);
    expect(orphans.length).toBeGreaterThan(8);
    process.kill(killed, 'SIGKILL');

    // At once: it waits for what its predecessor's guards are still stopping.
    run = runStart(site);
    const greeting = await run.untilPrinted(LAST_LINE);
    await untilGone(orphans);
    expect(keysIn(greeting)).toEqual(keysIn(output));
    const [, history] = paste(commandsIn(greeting));
    // The demo's conversations were written once; two of the commands before said "Hello".
    const { messages } = history as { messages: { content: string }[] };
    expect(messages).toHaveLength(8);
    expect(messages.slice(-2)).toMatchObject([{ content: '<p>Hello</p>' }, { content: '<p>Hello</p>' }]);
    output = greeting;
  }, 60_000);

  test('starts a service or a server again that was killed', async () => {
    const [whoAmI] = commandsIn(output);
    for (const name of ['realm/dist/main.js', 'gateway/dist/main.js', 'postgres -D', 'nats-server']) {
      const [victim] = pidsOf(run, name);
      process.kill(victim as number, 'SIGKILL');
      await untilGone([victim as number]);
      const retried = whoAmI?.replace('curl', 'curl --retry 50 --retry-delay 1 --retry-all-errors --fail') as string;
      expect(paste([retried])).toMatchObject([{ result: 'success' }]);
    }
  }, 120_000);

  test('stops everything by a signal; then the operator’s command reports that nothing runs', async () => {
    await stop(run, 'SIGINT');
    expect((await run.ended).exitCode).toBe(0);
    const tooLate = admin(site, 'user', 'create', '--realm', 'acme', '--email', 'cy@acme.example', '--name', 'Cy');
    expect(tooLate).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^nothing runs with the data in [^\n]+\n$/),
    });
  }, 60_000);
});

describe('npm start with servers that it is given', () => {
  let site: Awaited<ReturnType<typeof newSite>>;
  beforeAll(async () => {
    site = await newSite();
  });
  afterAll(async () => {
    await stopRuns();
    removeSite(site);
  });

  test('uses them, and starts none', async () => {
    const { databaseUrl, natsUrl } = testServers();
    const prefix = testPrefix();
    const own = { DATABASE_URL: databaseUrl, DATABASE_PREFIX: prefix, NATS_URL: natsUrl, NATS_PREFIX: prefix };
    const run = runStart({ ...site, ...own }, ['npm', 'start']);
    const answers = paste(commandsIn(await run.untilPrinted(LAST_LINE)));
    expect(answers.at(-1)).toMatchObject({ events: [{ type: 'message' }] });
    expect(existsSync(path.join(site.DATA_DIR, 'postgres'))).toBe(false);
    expect(existsSync(path.join(site.DATA_DIR, 'nats'))).toBe(false);
    // As npm hands the signal on, through the shell, to everybody.
    await stop(run, 'SIGTERM');
  }, 60_000);
});

describe('npm start says in one line, and leaves nothing running,', () => {
  let site: Awaited<ReturnType<typeof newSite>>;
  beforeEach(async () => {
    site = await newSite();
  });
  afterEach(async () => {
    await stopRuns();
    removeSite(site);
  });

  async function complaint(settings: Record<string, string> = {}): Promise<string> {
    const run = runStart({ ...site, ...settings });
    const { exitCode, output, complaints } = await run.ended;
    expect({ exitCode, output, lines: complaints.length }).toEqual({ exitCode: 1, output: '', lines: 1 });
    expect(listProcesses().filter(({ command }) => command.includes(site.DATA_DIR))).toEqual([]);
    return complaints[0] as string;
  }

  test('that the data are broken', async () => {
    const data = path.join(site.DATA_DIR, 'postgres', 'data');
    mkdirSync(data, { recursive: true });
    writeFileSync(path.join(data, 'PG_VERSION'), 'x\n');
    const secret = 'a secret of the operator, who keeps it';
    const secrets = { BOT_KEY_SECRET: secret, INVITATION_KEY_SECRET: secret };
    expect(await complaint(secrets)).toMatch(/^npm start: PostgreSQL, with the data in .*, did not start: /);
  });

  test('that the data directory cannot be made', async () => {
    const file = path.join(site.DATA_DIR, 'file');
    writeFileSync(file, '');
    expect(await complaint({ DATA_DIR: path.join(file, 'var') })).toMatch(/^npm start: ENOTDIR: .*file/);
  });

  test.each([
    [{ PORT: 'http' }, 'npm start: PORT '],
    [{ DATABASE_URL: 'postgresql://127.0.0.1:1/x' }, 'npm start: cannot use the PostgreSQL of DATABASE_URL: '],
    [{ NATS_URL: 'nats://127.0.0.1:1' }, 'npm start: cannot use the NATS of NATS_URL, which must have JetStream: '],
    [{ API_BRANDS: '!' }, 'npm start: realm did not start: API_BRANDS '],
  ])(
    'that a setting is wrong: %j',
    async (settings, beginning) => {
      expect((await complaint(settings)).startsWith(beginning)).toBe(true);
    },
    30_000,
  );
});

function pidsOf(run: StartRun, name: string): number[] {
  const below = run.processes();
  return listProcesses()
    .filter(({ pid, command }) => below.includes(pid) && command.includes(name))
    .map(({ pid }) => pid);
}

function admin(site: { DATA_DIR: string }, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'admin', '--', ...words], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: site.DATA_DIR },
    encoding: 'utf8',
  });
  return { status, stdout, stderr: stderr.replace(/^npm warn.*\n/gm, '') };
}
