import { choicesOf, fieldDataOf, peopleOf } from './profile-field-kinds';

const data = JSON.stringify({ 0: { text: 'red', order: '2' }, 1: { text: 'blue', order: '1' } });

test('choices are in their order', () => {
  expect(choicesOf(data)).toEqual([
    ['1', 'blue'],
    ['0', 'red'],
  ]);
  expect(choicesOf('')).toEqual([]);
});

test('a choice that was there keeps its value, so profiles keep it; others get new ones', () => {
  expect(fieldDataOf('green\nred\n\n red ', data)).toEqual({
    2: { text: 'green', order: '1' },
    0: { text: 'red', order: '2' },
  });
});

test.each([
  ['', []],
  ['[3,4]', [3, 4]],
  ['"x"', []],
])('people of %j', (value, ids) => {
  expect(peopleOf(value)).toEqual(ids);
});
