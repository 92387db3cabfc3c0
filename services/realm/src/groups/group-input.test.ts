import { groupDescriptionFromInput, groupNameFromInput } from './group-input';

describe('a group name', () => {
  test.each([
    ['  Friends ', 'Friends'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['🧀'.repeat(100), '🧀'.repeat(100)],
    ['a role: model', 'a role: model'],
  ])('%p is %p', (text, name) => {
    expect(groupNameFromInput(text)).toBe(name);
  });

  test.each([
    ['', "User group name can't be empty!"],
    [' \n ', "User group name can't be empty!"],
    ['x'.repeat(101), 'User group name cannot exceed 100 characters.'],
    ['@friends', "User group name cannot start with '@'."],
    ['role:owners', "User group name cannot start with 'role:'."],
    [' user:1', "User group name cannot start with 'user:'."],
    ['stream:1', "User group name cannot start with 'stream:'."],
    ['channel:1', "User group name cannot start with 'channel:'."],
    ['a\0b', 'Invalid character in user group name, at position 2.'],
  ])('%p is refused', (text, message) => {
    expect(() => groupNameFromInput(text)).toThrow(message);
  });
});

describe('a group description', () => {
  test('is trimmed, may be empty and may have lines', () => {
    expect(groupDescriptionFromInput(' a\nb ')).toBe('a\nb');
    expect(groupDescriptionFromInput('')).toBe('');
  });

  test('has a bound, in characters', () => {
    expect(groupDescriptionFromInput('🧀'.repeat(1024))).toHaveLength(2048);
    expect(() => groupDescriptionFromInput('x'.repeat(1025))).toThrow(
      'description is too long (limit: 1024 characters)',
    );
    expect(() => groupDescriptionFromInput('🧀\0')).toThrow('Invalid character in description, at position 2.');
  });
});
