import { Deferred } from './deferred';

const arriving = (outcome: number | Error) => new Deferred<number>((deliver) => deliver(outcome));
const delivered = (held: Deferred<unknown>) => {
  const outcomes: unknown[] = [];
  held.start((outcome) => outcomes.push(outcome));
  return outcomes;
};

describe('a held outcome', () => {
  test('is changed when it comes', () => {
    expect(delivered(arriving(20).map((value) => value + 1))).toEqual([21]);
  });

  test('that is an error stays that error', () => {
    const error = new Error('nobody is there');
    expect(delivered(arriving(error).map((value) => value + 1))).toEqual([error]);
  });

  test('whose change fails is that failure', () => {
    const error = new Error('cannot be changed');
    const failing = arriving(20).map(() => {
      throw error;
    });
    expect(delivered(failing)).toEqual([error]);
  });

  test('is waited for only once somebody starts it', () => {
    let starts = 0;
    const held = new Deferred<number>(() => {
      starts += 1;
    }).map(String);
    expect(starts).toBe(0);
    held.start(() => {});
    expect(starts).toBe(1);
  });
});
