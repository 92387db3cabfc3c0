import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type EmbeddedServer, freePort, isPortFree, startGuarded, startNats, startPostgres } from './index';

/** Mode 700: if tests run as root, PostgreSQL's user may not enter it. */
const directory = mkdtempSync(path.join(tmpdir(), 'parley-embedded-'));
const inDirectory = (...names: string[]) => path.join(directory, ...names);

let running: EmbeddedServer[] = [];
const keep = (server: EmbeddedServer) => {
  running.push(server);
  return server;
};

afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()));
  running = [];
});

afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  test('keeps its data from start to start, also in a folder that only its owner may enter', async () => {
    const options = { directory: inDirectory('kept'), isPersistent: true };
    const first = await startPostgres(options);
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    const second = keep(await startPostgres(options));
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test.each([true, false])('lets in only who knows the password of the data, lasting: %s', async (isPersistent) => {
    const server = keep(await startPostgres({ directory: inDirectory(`secret-${isPersistent}`), isPersistent }));
    const url = new URL(server.url);
    url.password = 'guess';
    await expect(query(url.toString(), 'select 1')).rejects.toThrow('password authentication failed');
  });

  test('starts again after an interrupted first start', async () => {
    const half = inDirectory('interrupted', 'data.new');
    mkdirSync(half, { recursive: true });
    writeFileSync(path.join(half, 'PG_VERSION'), '18\n');
    const server = keep(await startPostgres({ directory: inDirectory('interrupted'), isPersistent: false }));
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('reports a problem with its data in one line', async () => {
    mkdirSync(inDirectory('broken', 'data'), { recursive: true });
    const error = await startPostgres({ directory: inDirectory('broken'), isPersistent: true }).catch(
      (thrown) => thrown,
    );
    expect(error.message).toMatch(/^PostgreSQL, with the data in .*broken\/data, did not start: .+$/);
  });

  test('says in one line that its folder cannot be made', async () => {
    writeFileSync(inDirectory('file'), '');
    const error = await startPostgres({ directory: inDirectory('file', 'x'), isPersistent: true }).catch(
      (thrown) => thrown,
    );
    expect(error.message).toMatch(/^ENOTDIR: .*$/);
  });

  test('waits for a server that is still leaving the same data', async () => {
    const options = { directory: inDirectory('leaving'), isPersistent: true };
    const leaving = await startPostgres(options);
    const stopped = leaving.stop();
    const next = keep(await startPostgres(options));
    await stopped;
    expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('the embedded nats-server', () => {
  test('takes the port it is given, and says in one line when it cannot', async () => {
    const port = await freePort();
    keep(await startNats({ directory: inDirectory('nats-1'), isPersistent: false, port }));
    const second = startNats({ directory: inDirectory('nats-2'), isPersistent: false, port });
    await expect(second).rejects.toThrow(/^nats-server, with the data in .*nats-2, did not start: .*in use.*$/);
  });
});

describe('a guarded process', () => {
  test('that ignores the wish to end is killed', async () => {
    const stubborn = await startGuarded('sh', ['-c', 'trap "" TERM; echo ready; while :; do sleep 1; done']);
    await new Promise((resolve) => stubborn.child.stdout?.once('data', resolve));
    await stubborn.stop(50);
    expect(await stubborn.ended).toBe('SIGKILL');
  });

  test('that ends unexpectedly reports how', async () => {
    const brief = await startGuarded('sh', ['-c', 'exit 3']);
    expect(await brief.ended).toBe('exit code 3');
  });

  test('that cannot be started says so', async () => {
    await expect(startGuarded('/no/such/program', [])).rejects.toThrow('ENOENT');
  });
});

test('a process gives out free ports of a block that no other process can own meanwhile', async () => {
  const ports: number[] = [];
  for (let each = 0; each < 150; each += 1) ports.push(await freePort());
  const [block, ...others] = new Set(ports.map((port) => Math.floor(port / 100) * 100));
  expect(others).toEqual([]);
  expect(await isPortFree('127.0.0.1', block as number)).toBe(false);
  expect(await isPortFree('127.0.0.1', ports[0] as number)).toBe(true);
});
