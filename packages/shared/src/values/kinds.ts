import { memoized } from './memoized';

/** Numbers values: equal JSON, equal number. Each object is read once, so thousands of values that share a few objects are numbered fast. */
export function kinds(): (value: object | undefined) => number {
  let count = 0;
  const kindOfText = memoized(() => ++count);
  return memoized((value) => kindOfText(JSON.stringify(value) ?? ''));
}
