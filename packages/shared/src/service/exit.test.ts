import { fullDiskSentence } from './exit';

const withCode = (message: string, code: string) => Object.assign(new Error(message), { code });

describe('a full disk is reported in one sentence', () => {
  test.each<[string, Error, string]>([
    ['a file', withCode('ENOSPC: no space left on device, write', 'ENOSPC'), 'ENOSPC: no space left on device, write'],
    ['a quota', withCode('EDQUOT: disk quota exceeded, mkdir', 'EDQUOT'), 'EDQUOT: disk quota exceeded, mkdir'],
    [
      'a migration',
      new Error('migration 000001-init.sql: failed', { cause: withCode('could not extend file "base/5/16"', '53100') }),
      'could not extend file "base/5/16"',
    ],
    [
      'an embedded server',
      new Error('PostgreSQL could not make its data in /x: could not write to file "y": No space left on device'),
      'PostgreSQL could not make its data in /x: could not write to file "y": No space left on device',
    ],
    ['more lines', new Error('Disk quota exceeded\nat line 1'), 'Disk quota exceeded'],
  ])('%s', (_what, error, reason) => {
    expect(fullDiskSentence(error)).toBe(`the disk is full: ${reason}; make room, then start again`);
  });

  test.each([[new Error('refused')], [withCode('denied', 'EACCES')], ['text'], [undefined]])('but not: %s', (error) => {
    expect(fullDiskSentence(error)).toBeUndefined();
  });
});
