import type { CustomEmoji, UpdateUserStatusRequest } from '@parley/shared/proto';
import { statusFromInput as read } from './statuses';

const CUSTOM: CustomEmoji[] = [
  { id: 7, realmId: 2, name: 'parrot', fileName: '', isDeactivated: false },
  { id: 8, realmId: 2, name: 'tada', fileName: '', isDeactivated: false },
  { id: 9, realmId: 2, name: 'gone', fileName: '', isDeactivated: true },
];
const statusFromInput = (request: UpdateUserStatusRequest) => read(request, CUSTOM);

const TOOLS = { name: 'working_on_it', code: '1f6e0', reactionType: 'unicode_emoji' };
const SMILE = { name: 'smile', code: '1f642', reactionType: 'unicode_emoji' };

test.each([
  [{ statusText: '  on vacation ' }, { statusText: 'on vacation' }],
  [{ statusText: '' }, { statusText: '' }],
  [{ statusText: '👍'.repeat(60) }, { statusText: '👍'.repeat(60) }],
  [{ emojiName: 'smile' }, { emoji: SMILE }],
  [{ emojiName: 'smile', emojiCode: '1f642', reactionType: 'unicode_emoji' }, { emoji: SMILE }],
  [{ emojiName: 'parrot' }, { emoji: { name: 'parrot', code: '7', reactionType: 'realm_emoji' } }],
  // The organization's own emoji take precedence.
  [{ emojiName: 'tada' }, { emoji: { name: 'tada', code: '8', reactionType: 'realm_emoji' } }],
  [{ emojiName: '' }, { emoji: { name: '', code: '', reactionType: 'unicode_emoji' } }],
  [{ isAway: false }, { isAway: false }],
])('%j is a status', (request, expected) => expect(statusFromInput(request)).toEqual(expected));

test.each([
  [{}, 'Client did not pass any new values.'],
  [{ emojiCode: '1f642' }, 'Client did not pass any new values.'],
  [{ statusText: 'x'.repeat(61) }, 'status_text is too long (limit: 60 characters)'],
  [{ statusText: 'a\0b' }, 'Invalid character in status_text, at position 2.'],
  [
    { statusText: 'x', emojiCode: '1f642' },
    'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
  ],
  [
    { statusText: 'x', reactionType: 'unicode_emoji' },
    'Client must pass emoji_name if they pass either emoji_code or reaction_type.',
  ],
  [{ emojiName: 'no_such_emoji' }, "Emoji 'no_such_emoji' does not exist"],
  [{ emojiName: 'no_such_emoji', emojiCode: '1f642' }, "Emoji 'no_such_emoji' does not exist"],
  [{ emojiName: 'smile', emojiCode: 'ffff' }, 'Invalid emoji code.'],
  [{ emojiName: 'smile', emojiCode: '1f6e0' }, 'Invalid emoji name.'],
  [{ emojiName: 'smile', reactionType: 'realm_emoji' }, 'Invalid custom emoji.'],
  [{ emojiName: 'gone' }, "Emoji 'gone' does not exist"],
  [{ emojiName: 'smile', emojiCode: '7', reactionType: 'realm_emoji' }, 'Invalid custom emoji name.'],
  [{ emojiName: 'gone', emojiCode: '9', reactionType: 'realm_emoji' }, 'This custom emoji has been deactivated.'],
  [{ emojiName: 'smile', reactionType: 'picture' }, 'Invalid emoji type.'],
])('%j is none', (request, message) => expect(() => statusFromInput(request)).toThrow(message));

test('names are those that clients know', () => {
  expect(statusFromInput({ emojiName: 'working_on_it' })).toEqual({ emoji: TOOLS });
});
