import type { User } from '@parley/shared/proto';
import { EMAIL_VISIBLE_TO, ROLES } from '@parley/shared/values';
import { usersSeenBy } from './lists-for-caller';

const own = {
  id: 7,
  role: ROLES.member,
  emailAddressVisibility: EMAIL_VISIBLE_TO.nobody,
  deliveryEmail: 'own@example.com',
} as User;

function emailsSeen(list: { user_id: number; delivery_email: string | null }[]) {
  const seen = usersSeenBy(own, Buffer.from(JSON.stringify(list))).parse() as typeof list;
  return seen.map(({ delivery_email: email }) => email);
}

test('users see their own address in the list where others do not', () => {
  expect(
    emailsSeen([
      { user_id: 6, delivery_email: null },
      { user_id: 7, delivery_email: null },
      { user_id: 8, delivery_email: null },
    ]),
  ).toEqual([null, 'own@example.com', null]);
});

test('a list from before the address was hidden stays as it is', () => {
  expect(
    emailsSeen([
      { user_id: 7, delivery_email: 'own@example.com' },
      { user_id: 8, delivery_email: null },
    ]),
  ).toEqual(['own@example.com', null]);
});
