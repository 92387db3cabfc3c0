import { requireAdministrator, requireMember, requireOwner, requirePerson } from './guards';

const person = (role: number) => ({ role, isBot: false });
const bot = (role: number) => ({ role, isBot: true });
const OWNER = 'Must be an organization owner';
const ADMINISTRATOR = 'Must be an organization administrator';
const GUEST = 'Not allowed for guest users';
const BOT = 'This endpoint does not accept bot requests.';

// Results of each guard: owner, administrator, member; then a person; then a member who is a person. Null: accepted.
test.each([
  ['an owner', person(100), null, null, null, null],
  ['an administrator', person(200), OWNER, null, null, null],
  ['a moderator', person(300), OWNER, ADMINISTRATOR, null, null],
  ['a member', person(400), OWNER, ADMINISTRATOR, null, null],
  ['a guest', person(600), OWNER, ADMINISTRATOR, null, GUEST],
  ['an administrating bot', bot(200), OWNER, null, BOT, BOT],
  ['a bot', bot(400), OWNER, ADMINISTRATOR, BOT, BOT],
  ['a guest bot', bot(600), OWNER, ADMINISTRATOR, BOT, GUEST],
])('results of guards for %s', (_who, actor, ...expected) => {
  const answers = [requireOwner, requireAdministrator, requirePerson, requireMember].map((guard) => {
    try {
      guard(actor);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  });
  expect(answers).toEqual(expected);
});
