import { inUnits } from './durations';

test.each([
  [1, { count: 1, unit: 'seconds' }],
  [90, { count: 90, unit: 'seconds' }],
  [600, { count: 10, unit: 'minutes' }],
  [3_600, { count: 1, unit: 'hours' }],
  [604_800, { count: 7, unit: 'days' }],
  [0, { count: 0, unit: 'seconds' }],
])('%i seconds', (seconds, said) => {
  expect(inUnits(seconds)).toEqual(said);
});
