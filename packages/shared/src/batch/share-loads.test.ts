import { shareLoads } from './share-loads';

/** Loads that end on command, each with the number of its load as result. */
function stage() {
  const begun: { key: string; end: (error?: Error) => void }[] = [];
  const ask = shareLoads<string, number>(
    (key) =>
      new Promise((resolve, reject) => {
        const number = begun.length;
        begun.push({ key, end: (error) => (error ? reject(error) : resolve(number)) });
      }),
    (key) => key,
  );
  return { begun, ask };
}

describe('shareLoads', () => {
  test('callers that arrive during a load share the next one', async () => {
    const { begun, ask } = stage();
    const [first, second, third] = [ask('a'), ask('a'), ask('a')];
    expect(begun).toHaveLength(1);
    begun[0]?.end();
    expect(await first).toBe(0);
    await new Promise(setImmediate);
    expect(begun).toHaveLength(2);
    const fourth = ask('a');
    begun[1]?.end();
    expect(await Promise.all([second, third])).toEqual([1, 1]);
    await new Promise(setImmediate);
    begun[2]?.end();
    expect(await fourth).toBe(2);
  });

  test('different questions do not wait for each other', async () => {
    const { begun, ask } = stage();
    const answers = [ask('a'), ask('b')];
    for (const { end } of begun) end();
    expect(await Promise.all(answers)).toEqual([0, 1]);
  });

  test('a failed load fails for its own callers only', async () => {
    const { begun, ask } = stage();
    const [first, second] = [ask('a'), ask('a')];
    begun[0]?.end(new Error('down'));
    await expect(first).rejects.toThrow('down');
    await new Promise(setImmediate);
    begun[1]?.end();
    expect(await second).toBe(1);
    const third = ask('a');
    expect(begun).toHaveLength(3);
    begun[2]?.end();
    expect(await third).toBe(2);
  });
});
