import { addressMover } from './move-addresses';

const SECRET = 'rFRsoNp1UmIishCBltFpnjP3';
const move = addressMover(7, 12);

test.each([
  ['a file', `[it](/user_uploads/7/df/${SECRET}/plan.txt)`],
  ['its thumbnail', `src=\\"/user_uploads/thumbnail/7/df/${SECRET}/dot.png/840x560.webp\\"`],
  ['one to download', `href=\\"https://chat.example.com/user_uploads/download/7/a/${SECRET}/x\\"`],
  ['the row of one', `{"id":1,"path_id":"7/df/${SECRET}/plan.txt"}`],
  ['a picture', '<img src=\\"/user_avatars/7/emoji/images/abc.png\\">'],
])('%s gets the new organization', (_what, text) => {
  expect(move(text)).toBe(text.replace('7/', '12/'));
});

test.each([
  `/user_uploads/77/df/${SECRET}/plan.txt`,
  '/user_uploads/7/what-is-this',
  `7/df/${SECRET}/plan.txt`,
  '/#narrow/channel/7-general',
  '{"id":7,"user_id":7}',
])('%s stays', (text) => {
  expect(move(text)).toBe(text);
});
