import { changeTo, flagsOf, KINDS, kindOf } from './channel-kind';

test.each(KINDS)('%s is what its flags say', (kind) => {
  expect(kindOf(flagsOf(kind))).toBe(kind);
});

test('changes name the flag of private channels as the API does', () => {
  expect(changeTo('privateFromNow')).toEqual({
    is_private: true,
    history_public_to_subscribers: false,
    is_web_public: false,
  });
});
