import { charactersOf, emojiText } from './emoji';
import { groupOf } from './groups';

test.each([
  ['1f44d', '👍'],
  ['2764', '❤️'],
  ['1f1fa-1f1f8', '🇺🇸'],
  ['31-20e3', '1️⃣'],
  ['1f3c3-200d-2640', '🏃‍♀️'],
  ['1f3f4-e0067-e0062-e0065-e006e-e0067-e007f', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
])('%s is %s', (code, text) => expect(charactersOf(code)).toBe(text));

test('an emoji of the organization has its name', () => {
  expect(emojiText({ emoji_name: 'parley', emoji_code: '7', reaction_type: 'realm_emoji' })).toBe(':parley:');
});

test.each([
  ['1f600', 'smileys'],
  ['1f44d', 'people'],
  ['1f468-200d-1f4bb', 'people'],
  ['1f436', 'nature'],
  ['1f355', 'food'],
  ['26bd', 'activities'],
  ['1f680', 'travel'],
  ['1f4a1', 'objects'],
  ['2705', 'symbols'],
  ['1f1e9-1f1ea', 'flags'],
  ['1f3f3-200d-1f308', 'flags'],
])('%s belongs to %s', (code, group) => expect(groupOf(code)).toBe(group));
