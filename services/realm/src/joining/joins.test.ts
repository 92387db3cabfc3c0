import { joinsFromInput } from './join-channels';

const channel = (name: string, color = '') => ({ name, description: '', color });

test('a channel named twice, in different casing, is joined once', () => {
  expect(joinsFromInput([channel(' Käse '), channel('KÄSE', '#ffffff')])).toEqual([
    { name: 'Käse', nameKey: 'käse', description: '', color: null },
  ]);
});

test('colours are hexadecimal, stored with six digits in lower case', () => {
  expect(joinsFromInput([channel('a', '#ABCDEF'), channel('b', '#aBc')]).map(({ color }) => color)).toEqual([
    '#abcdef',
    '#aabbcc',
  ]);
  expect(() => joinsFromInput([channel('a'), channel('b', 'red')])).toThrow(
    'Invalid subscriptions[1]["color"]: Value error, color is not a valid hex color code',
  );
});

test('the list has a bound', () => {
  const channels = Array.from({ length: 501 }, (_, index) => channel(`c${index}`));
  expect(() => joinsFromInput(channels)).toThrow('Too many channels (limit: 500)');
});
