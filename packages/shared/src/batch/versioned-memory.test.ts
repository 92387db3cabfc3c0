import { createFakeClock } from '../testing';
import { VersionedMemory } from './versioned-memory';

test('the least recently used entries are dropped when the memory is full', () => {
  const memory = new VersionedMemory<string>(createFakeClock(), 10);
  memory.keep('a', '1', 'A', 4);
  memory.keep('b', '1', 'B', 4);
  expect(memory.recall('a')).toMatchObject({ version: '1', value: 'A' });
  memory.keep('c', '1', 'C', 4);
  expect([memory.recall('a')?.value, memory.recall('b'), memory.recall('c')?.value]).toEqual(['A', undefined, 'C']);
  memory.keep('a', '2', 'larger', 6);
  expect([memory.recall('a')?.version, memory.recall('c')?.value]).toEqual(['2', 'C']);
  memory.keep('d', '1', 'too large for all of it', 11);
  expect(['a', 'c', 'd'].map((key) => memory.recall(key)?.version)).toEqual(['2', '1', undefined]);
  memory.keep('a', '3', 'too large for all of it', 11);
  expect(memory.recall('a')).toBeUndefined();
});

test('nothing is kept for long, however often it is used', () => {
  const clock = createFakeClock();
  const memory = new VersionedMemory<string>(clock, 10);
  memory.keep('a', '1', 'A', 4);
  clock.advance(9 * 60_000);
  expect(memory.recall('a')?.value).toBe('A');
  clock.advance(60_001);
  expect(memory.recall('a')).toBeUndefined();
});
