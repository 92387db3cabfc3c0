import { channelDescriptionFromInput, channelNameFromInput } from './channel-input';

describe('a channel name', () => {
  test.each([
    ['  general  ', 'general'],
    ['Käse ✔ 🧀', 'Käse ✔ 🧀'],
    ['🧀'.repeat(60), '🧀'.repeat(60)],
  ])('%p is %p', (text, name) => {
    expect(channelNameFromInput(text)).toBe(name);
  });

  test.each([
    ['', "Channel name can't be empty."],
    ['  \n ', "Channel name can't be empty."],
    ['x'.repeat(61), 'Channel name too long (limit: 60 characters).'],
    ['ab\0c', 'Invalid character in channel name, at position 3.'],
    ['a\nb', 'Invalid character in channel name, at position 2.'],
  ])('%p is refused', (text, message) => {
    expect(() => channelNameFromInput(text)).toThrow(message);
  });
});

describe('a channel description', () => {
  test('becomes one line', () => {
    expect(channelDescriptionFromInput(' First\r\nsecond\tthird ')).toBe('First second third');
  });

  test('has a bound, in characters', () => {
    expect(channelDescriptionFromInput('🧀'.repeat(1024))).toHaveLength(2048);
    expect(() => channelDescriptionFromInput('x'.repeat(1025))).toThrow(
      'description is too long (limit: 1024 characters)',
    );
    expect(() => channelDescriptionFromInput('a\0')).toThrow('Invalid character in description, at position 2.');
  });
});
