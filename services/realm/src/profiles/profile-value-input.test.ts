import type { ProfileField, User } from '@parley/shared/proto';
import { profileValueFromInput } from './profile-value-input';

const OPTIONS = '{"red":{"text":"Red","order":"1"}}';
const field = (type: number): ProfileField => ({
  id: 1,
  type,
  order: 1,
  name: 'Info',
  hint: '',
  fieldData: type === 3 ? OPTIONS : '',
  isInSummary: false,
  isRequired: false,
  isEditableByUser: true,
});
const account = (id: number, changes: Partial<User> = {}) => ({ id, isActive: true, isBot: false, ...changes }) as User;
const PEOPLE = new Map(
  [account(10), account(11), account(12, { isActive: false }), account(13, { isBot: true })].map((user) => [
    user.id,
    user,
  ]),
);
const textValue = (type: number, text: string) =>
  profileValueFromInput(field(type), { fieldId: 1, text, userIds: null }, PEOPLE);
const peopleValue = (type: number, ...ids: number[]) =>
  profileValueFromInput(field(type), { fieldId: 1, userIds: { ids } }, PEOPLE);

test.each([
  [1, 'x'.repeat(50)],
  [1, ''],
  [2, `${'👍'.repeat(250)}\n${'x'.repeat(249)}`],
  [3, 'red'],
  [4, '2024-02-29'],
  [5, 'https://example.com/a?b=c'],
  [7, 'olivia'],
  [8, 'they/them'],
])('in a field of type %d, %j is stored as it is', (type, text) => {
  expect(textValue(type, text)).toBe(text);
});

test.each([
  [1, 'x'.repeat(51), 'Info is too long (limit: 50 characters)'],
  [2, 'x'.repeat(501), 'Info is too long (limit: 500 characters)'],
  [7, 'x'.repeat(51), 'Info is too long (limit: 50 characters)'],
  [8, 'x'.repeat(51), 'Info is too long (limit: 50 characters)'],
  [2, 'a\0b', 'Info has invalid format'],
  [3, 'Red', "'Red' is not a valid choice for 'Info'."],
  [3, 'toString', "'toString' is not a valid choice for 'Info'."],
  [4, '2023-02-29', 'Info is not a date'],
  [4, '2023-2-9', 'Info is not a date'],
  [4, '', 'Info is not a date'],
  [5, 'example.com', 'Info is not a URL'],
  [5, 'javascript:alert(1)', 'Info is not a URL'],
  [5, `https://example.com/${'x'.repeat(2_000)}`, 'Info is too long (limit: 2000 characters)'],
  [6, '10', 'Info is not a list'],
])('in a field of type %d, %j is refused', (type, text, message) => {
  expect(() => textValue(type, text)).toThrow(message);
});

test('people are active people, stored as a list of ids', () => {
  expect(peopleValue(6, 11, 10)).toBe('[11,10]');
  expect(peopleValue(6)).toBe('[]');
  expect(() => peopleValue(6, 10, 99, -1)).toThrow('Invalid user IDs: 99, -1');
  expect(() => peopleValue(6, 12)).toThrow('User with ID 12 is deactivated');
  expect(() => peopleValue(6, 13)).toThrow('User with ID 13 is a bot');
  expect(() => peopleValue(6, ...Array(201).fill(10))).toThrow('Info is too long (limit: 200 users)');
  expect(() => peopleValue(1, 10)).toThrow('Info is not a string');
});
