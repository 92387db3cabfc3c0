import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ServiceUnavailableError } from '../errors';
import { testServers } from '../testing';
import { withAdvisoryLock } from './advisory-lock';
import { openDatabase } from './database';
import { answered } from './lost-connection';
import type { Transaction } from './sql';

describe('an unreachable database', () => {
  test.each<[string, object, boolean]>([
    ['the server is stopping', { code: '57P01', message: 'terminating connection' }, true],
    ['the server is starting', { code: '57P03', message: 'the database system is starting up' }, true],
    ['all connections are taken', { code: '53300', message: 'sorry, too many clients already' }, true],
    ['the connection broke', { code: '08006', message: 'connection failure' }, true],
    ['the socket broke', { code: 'ECONNRESET', message: 'read ECONNRESET' }, true],
    ['pg noticed', { message: 'Connection terminated unexpectedly' }, true],
    ['the server has vanished without a word', { message: 'Query read timeout' }, true],
    ['a violated constraint', { code: '23505', message: 'duplicate key' }, false],
    ['a faulty statement', { code: '42601', message: 'syntax error' }, false],
    ['a statement that took too long', { code: '57014', message: 'canceling statement' }, false],
    ['a bug', { message: 'x is not a function' }, false],
  ])('%s', async (_, fields, isUnreachable) => {
    const thrown = Object.assign(new Error(), fields);
    const error = await answered(Promise.reject(thrown)).catch((caught) => caught);
    if (isUnreachable) expect(error).toMatchObject({ code: 'SERVER_NOT_READY', cause: thrown });
    else expect(error).toBe(thrown);
  });

  test('that was lost earlier is named in the error', async () => {
    const thrown = new Error('Client has encountered a connection error and is not queryable');
    const error = await answered(Promise.reject(thrown)).catch((caught) => caught);
    const cause = { message: 'the connection to PostgreSQL was lost', cause: thrown };
    expect(error).toMatchObject({ code: 'SERVER_NOT_READY', cause });
  });

  test('a full disk is named in the error, and clients are asked to retry', async () => {
    const thrown = Object.assign(new Error('could not extend file "base/5/16"'), { code: '53100' });
    const error = await answered(Promise.reject(thrown)).catch((caught) => caught);
    expect(error).toMatchObject({
      code: 'SERVER_NOT_READY',
      cause: { message: "PostgreSQL's disk is full", cause: thrown },
    });
  });

  test('is reported as unavailable, in a transaction and outside', async () => {
    const db = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1, applicationName: 'test' });
    await expect(db.query('select 1')).rejects.toBeInstanceOf(ServiceUnavailableError);
    await expect(db.transaction(async () => 1)).rejects.toBeInstanceOf(ServiceUnavailableError);
    await db.close();
  });

  test('that accepts connections but does not answer makes a lock request time out', async () => {
    const mute = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const url = `postgres://nobody@127.0.0.1:${port}/none`;
    await expect(withAdvisoryLock(url, 'test', async () => {})).rejects.toThrow('timeout expired');
    mute.close();
  }, 20_000);
});

describe('a connection that is lost', () => {
  const url = testServers().databaseUrl;
  const end = async () => {
    const other = openDatabase({ url, poolSize: 1, applicationName: 'test' });
    await other.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lost'`);
    await other.close();
  };
  const LOSSES: [string, (tx: Transaction) => Promise<unknown>][] = [
    ['between its statements', (tx) => end().then(() => tx.query('select 1'))],
    ['during a statement', (tx) => Promise.all([tx.query('select pg_sleep(60)'), end()])],
  ];

  test.each(LOSSES)('by a transaction %s fails that transaction only', async (_, lose) => {
    const db = openDatabase({ url, poolSize: 1, applicationName: 'lost' });
    await expect(db.transaction(lose)).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(await db.transaction((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
    await db.close();
  });
});
