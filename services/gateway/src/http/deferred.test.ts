import { Deferred } from './deferred';

const arriving = (outcome: number | Error) => new Deferred<number>((deliver) => deliver(outcome));
const delivered = (held: Deferred<unknown>) => {
  const outcomes: unknown[] = [];
  held.start((outcome) => outcomes.push(outcome));
  return outcomes;
};

describe('a deferred result', () => {
  test('is transformed when it arrives', () => {
    expect(delivered(arriving(20).map((value) => value + 1))).toEqual([21]);
  });

  test('passes an error on', () => {
    const error = new Error('nobody is there');
    expect(delivered(arriving(error).map((value) => value + 1))).toEqual([error]);
  });

  test('is an error if its transformation throws', () => {
    const error = new Error('cannot be changed');
    const failing = arriving(20).map(() => {
      throw error;
    });
    expect(delivered(failing)).toEqual([error]);
  });

  test('is computed only once it is awaited', () => {
    let starts = 0;
    const held = new Deferred<number>(() => {
      starts += 1;
    }).map(String);
    expect(starts).toBe(0);
    held.start(() => {});
    expect(starts).toBe(1);
  });
});
