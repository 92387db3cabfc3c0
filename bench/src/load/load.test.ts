import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Chance } from '../base/chance';
import { accountsOfFile } from './accounts';
import { DeliveryMark, Figures } from './figures';
import { findLimit } from './find-limit';
import { readLoadOptions, requireAnswer } from './load-options';
import { judge, judgeSteady } from './verdict';

const FIRST = 100;
const MOST = 10_000;

describe('how many users are served well', () => {
  test.each([
    [3_000, 'between two doublings'],
    [57, 'below where it begins'],
    [20_000, 'more than there are accounts'],
  ])('is found when it is %d: %s', async (truth) => {
    const asked: number[] = [];
    const holds = async (users: number) => {
      asked.push(users);
      return users <= truth;
    };
    const found = await findLimit(holds, FIRST, MOST);
    const answer = Math.min(truth, MOST);
    expect(found).toBeLessThanOrEqual(answer);
    expect(found).toBeGreaterThan(answer * 0.85 - 10);
    expect(asked.length).toBeLessThan(12);
  });
});

describe('the verdict', () => {
  const figuresWith = (durationsMs: readonly number[], errors = 0) => {
    const figures = new Figures();
    figures.measure();
    for (const durationMs of durationsMs) figures.note('send', durationMs);
    for (let count = 0; count < errors; count += 1) figures.noteError('send', '500');
    return figures;
  };
  const many = (count: number, durationMs: number): number[] => Array(count).fill(durationMs);

  test.each([
    ['all is well', figuresWith(many(10_000, 50), 2), true],
    ['the average is too high', figuresWith(many(100, 120)), false],
    ['one in fifty waits too long', figuresWith([...many(98, 1), ...many(2, 2_500)]), false],
    ['too many fail', figuresWith(many(10_000, 50), 3), false],
    ['nothing was measured', figuresWith([]), false],
  ])('when %s', (_, figures, holds) => {
    expect(judge(figures).holds).toBe(holds);
  });

  test.each([
    ['all are answered, however slowly', figuresWith(many(10, 5_000)), true],
    ['one of very many fails', figuresWith(many(100_000, 1), 1), false],
    ['nothing was measured', figuresWith([]), false],
  ])('of a steady run when %s', (_, figures, holds) => {
    expect(judgeSteady(figures).holds).toBe(holds);
  });

  test('takes deliveries as seriously as requests', () => {
    const figures = figuresWith(many(10, 1));
    for (const durationMs of many(10, 150)) figures.note('delivery', durationMs);
    expect(judge(figures)).toEqual({ holds: false, reasons: ['deliveries took 150 ms on the average'] });
  });

  test('counts only requests within the measurement, and all registrations', () => {
    const figures = new Figures();
    figures.note('register', 5);
    figures.note('send', 5);
    figures.noteError('send', '500');
    figures.measure();
    figures.end();
    figures.noteError('poll', 'UND_ERR_DESTROYED');
    expect(figures).toMatchObject({ requests: 1, errorCount: 0, awaited: { count: 0 } });
  });
});

describe('the options', () => {
  test.each([
    [['--base', 'http://192.0.2.1:9991'], /192\.0\.2\.1 is not this machine/],
    [['--base', 'chat.example.com'], /must be an http URL/],
    [['--users', 'many'], /--users must be a number/],
    [['--minutes', '0'], /--minutes must be a number/],
    [['--find', '--steady'], /do not go together/],
  ])('%j are refused', async (args, reason) => {
    await expect(readLoadOptions(args)).rejects.toThrow(reason);
  });

  test('loads the network with the same data directory by default', async () => {
    expect((await readLoadOptions([], 'http://127.0.0.1:9763'))?.base.origin).toBe('http://127.0.0.1:9763');
    const named = ['--base', 'http://127.0.0.1:9764'];
    expect((await readLoadOptions(named, 'http://127.0.0.1:9763'))?.base.origin).toBe('http://127.0.0.1:9764');
  });

  test('nothing is begun where nothing answers', async () => {
    const nowhere = new URL('http://127.0.0.1:1');
    await expect(requireAnswer(nowhere)).rejects.toThrow(/^nothing answers at http:\/\/127.0.0.1:1: .*$/);
  });

  test('loads another machine only with a confirmation of its ownership', async () => {
    const options = await readLoadOptions(['--base', 'http://192.0.2.1:9991', '--i-own-this-host', '--find']);
    expect(options).toMatchObject({ users: 100, minutes: 1, isFind: true, base: new URL('http://192.0.2.1:9991') });
  });
});

describe('accounts of a file', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-accounts-'));
  const file = path.join(directory, 'accounts');
  afterAll(() => rmSync(directory, { recursive: true }));

  test('are the lines printed by the admin command', async () => {
    writeFileSync(
      file,
      '{"user_id":7,"email":"dan@example.com","api_key":"k"}\n\n{"email":"eve@example.com","api_key":"l"}\n',
    );
    const accounts = accountsOfFile(file, 'chat.example.com');
    expect(accounts.most).toBe(2);
    expect(await accounts.take(1)).toEqual([{ email: 'dan@example.com', apiKey: 'k', userId: 7 }]);
    await expect(accounts.take(3)).rejects.toThrow('has 2 accounts, 3 are wanted');
  });

  test('are refused by line', () => {
    writeFileSync(file, '{"email":"dan@example.com","api_key":"k"}\n{"email":"eve@example.com"}\n');
    expect(() => accountsOfFile(file, 'chat.example.com')).toThrow('accounts, line 2: must be');
  });
});

test('the same seed makes the same decisions, about as often as wanted', () => {
  const pauses = (seed: number) => {
    const chance = new Chance(seed);
    return Array.from({ length: 5_000 }, () => chance.pauseMs(6));
  };
  expect(pauses(1)).toEqual(pauses(1));
  expect(pauses(1)).not.toEqual(pauses(2));
  const meanMs = pauses(1).reduce((sum, ms) => sum + ms, 0) / 5_000;
  expect(Math.abs(meanMs - 10_000)).toBeLessThan(500);
  expect(new Chance(1).shuffled([1, 2, 3, 4]).sort()).toEqual([1, 2, 3, 4]);
});

test('a message’s time of sending is readable by its own run only', () => {
  const mark = new DeliveryMark();
  const written = mark.write();
  expect(mark.read(`<p>${written}</p>`)).toBeCloseTo(performance.now(), -3);
  expect(new DeliveryMark().read(written)).toBeUndefined();
});
