import { exampleUser } from '../../test/realm-peer';
import { checkDirectPermission, checkNewTopic, checkWildcards } from './send-permissions';

const [ann, bob] = [exampleUser(1, 1, 'Ann'), exampleUser(1, 2, 'Bob')];
const bot = exampleUser(1, 3, 'Bot', { isBot: true });
const rights = { areRecipientsKnown: true, isDisabled: false, isAuthorized: true, mayInitiate: true };
const unauthorized = 'This conversation does not include any users who can authorize it.';
const mayNotBegin = 'You do not have permission to initiate direct message conversations.';

test.each([
  ['who is allowed everything', ann, [bob], {}, false, null],
  [
    'to strangers',
    ann,
    [bob],
    { areRecipientsKnown: false },
    true,
    'You do not have permission to access some of the recipients.',
  ],
  [
    'where nobody may',
    ann,
    [bob],
    { isAuthorized: false, isDisabled: true },
    true,
    'Direct messages are disabled in this organization.',
  ],
  ['without anybody who may', ann, [bob], { isAuthorized: false }, true, unauthorized],
  ['who may not begin', ann, [bob], { mayInitiate: false }, false, mayNotBegin],
  ['who may not begin, but answers', ann, [bob], { mayInitiate: false }, true, null],
  ['to bots and oneself', ann, [bot, ann], { isAuthorized: false, mayInitiate: false }, false, null],
  ['to a bot and somebody else', ann, [bot, bob], { isAuthorized: false }, false, unauthorized],
  ['of a bot', bot, [bob], { isAuthorized: false, mayInitiate: false }, false, null],
])('a direct message %s', (_, sender, recipients, facts, hasEarlier, refusal) => {
  const check = () => checkDirectPermission({ sender, recipients, rights: { ...rights, ...facts }, hasEarlier });
  if (refusal === null) expect(check).not.toThrow();
  else expect(check).toThrow(refusal);
});

test.each([
  [true, false, true],
  [false, true, true],
  [false, false, false],
])('who may begin topics: %s, there are messages: %s, allowed: %s', (mayCreate, hasEarlier, isAllowed) => {
  const check = expect(() => checkNewTopic(mayCreate, hasEarlier));
  if (isAllowed) check.not.toThrow();
  else check.toThrow('You do not have permission to create new topics in this channel.');
});

const nobody = {
  mentionsChannel: false,
  mentionsTopic: false,
  mayMentionMany: false,
  subscriberCount: 16,
  participantCount: 16,
};

test.each([
  ['nothing', {}, null],
  ['a channel of 15', { mentionsChannel: true, subscriberCount: 15 }, null],
  ['a channel of 16', { mentionsChannel: true }, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
  ['a topic of 15', { mentionsTopic: true, participantCount: 15 }, null],
  ['a topic of 16', { mentionsTopic: true }, 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
  ['both', { mentionsTopic: true, mentionsChannel: true }, 'STREAM_WILDCARD_MENTION_NOT_ALLOWED'],
  ['both, by who may', { mentionsTopic: true, mentionsChannel: true, mayMentionMany: true }, null],
])('mentioning %s', (_, facts, code) => {
  const check = () => checkWildcards({ ...nobody, ...facts });
  if (code === null) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code }));
});
