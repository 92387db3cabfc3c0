import { setImmediate } from 'node:timers/promises';
import { ServiceUnavailableError } from '../errors';
import { ChangedMeanwhile, repeatOnConflict } from './repeat-on-conflict';

const REALM_ID = 3;

describe('an action that is repeated when others were faster', () => {
  test('gets through at its second attempt, however many do it at once', async () => {
    let version = 0;
    let attempts = 0;
    const change = async () => {
      attempts += 1;
      const seen = version;
      await setImmediate();
      if (version !== seen) throw new ChangedMeanwhile();
      version += 1;
    };
    await Promise.all(Array.from({ length: 40 }, () => repeatOnConflict(REALM_ID, change)));
    expect(version).toBe(40);
    expect(attempts).toBe(40 + 39);
  });

  test('is repeated after a deadlock, and not after anything else', async () => {
    const failures: unknown[] = [{ code: '40P01' }, { code: '40001' }, new RangeError('a bug')];
    const action = () => Promise.reject(failures.shift());
    await expect(repeatOnConflict(REALM_ID, action)).rejects.toBeInstanceOf(RangeError);
    expect(failures).toEqual([]);
  });

  test('is given up when its caller would not wait any longer, which does not stop the next one', async () => {
    const never = () => Promise.reject(new ChangedMeanwhile());
    const failures: unknown[] = [new ChangedMeanwhile()];
    const second = async () => {
      if (failures.length > 0) throw failures.shift();
      return 'done';
    };
    const refused = expect(repeatOnConflict(REALM_ID, never, 20)).rejects.toBeInstanceOf(ServiceUnavailableError);
    expect(await repeatOnConflict(REALM_ID, second)).toBe('done');
    await refused;
  });

  test('does not wait for other organizations', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = repeatOnConflict(
      REALM_ID,
      failingOnce(() => held),
    );
    expect(
      await repeatOnConflict(
        REALM_ID + 1,
        failingOnce(async () => 'other'),
      ),
    ).toBe('other');
    release();
    await slow;
  });
});

function failingOnce<Result>(action: () => Promise<Result>): () => Promise<Result> {
  let attempts = 0;
  return () => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new ChangedMeanwhile()) : action();
  };
}
