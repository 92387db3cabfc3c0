import { eg } from '../../test/eg';
import { maySeeDeliveryEmail, publicUser } from './users';

const [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, GUEST] = [100, 200, 300, 400, 600];

describe('the real e-mail address', () => {
  test.each([
    ['everyone', 1, [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, GUEST]],
    ['members', 2, [OWNER, ADMINISTRATOR, MODERATOR, MEMBER]],
    ['moderators', 5, [OWNER, ADMINISTRATOR, MODERATOR]],
    ['administrators', 3, [OWNER, ADMINISTRATOR]],
    ['nobody', 4, []],
  ])('shown to %s is seen by their roles alone', (_name, emailAddressVisibility, seers) => {
    const roles = [OWNER, ADMINISTRATOR, MODERATOR, MEMBER, GUEST] as number[];
    const user = { id: 5, emailAddressVisibility };
    expect(roles.filter((role) => maySeeDeliveryEmail(user, { userId: 6, role }))).toEqual(seers);
  });

  test('is always seen by its owner', () => {
    expect(maySeeDeliveryEmail({ id: 5, emailAddressVisibility: 4 }, { userId: 5, role: 600 })).toBe(true);
  });
});

describe('a user', () => {
  const viewer = { userId: 6, role: 400 };

  test('has no delivery_email if that is hidden from the viewer, and all other fields', () => {
    const user = eg.user({ emailAddressVisibility: 3, email: 'user11@acme.example' });
    expect(publicUser(user, viewer, true)).toMatchObject({
      email: 'user11@acme.example',
      delivery_email: null,
      date_joined: '2019-10-20T07:50+00:00',
      avatar_url: expect.stringContaining('/static/pictures/'),
    });
  });

  test('has no avatar_url if the client can compute it', () => {
    expect(publicUser(eg.user(), viewer, true).avatar_url).toBeNull();
    expect(publicUser(eg.user(), viewer, false).avatar_url).toContain('/static/pictures/');
  });

  test('that is a bot has an owner and no profile, a person the opposite', () => {
    const bot = publicUser(eg.user({ isBot: true, botType: 1 }), viewer, false);
    expect(bot).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: null });
    expect(bot).not.toHaveProperty('profile_data');
    const person = publicUser(eg.user(), viewer, false);
    expect(person.profile_data).toEqual({});
    expect(person).not.toHaveProperty('bot_owner_id');
  });
});
