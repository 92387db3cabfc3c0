import type { PersonalFlags } from '../proto';
import type { Receiver } from './declare-event';
import { type FlagFacts, flagsFor } from './message-flags';

const [SENDER, READER] = [5, 6];
const FACTS: FlagFacts = {
  senderId: SENDER,
  text: 'Lunch, anybody?',
  sentAtMs: 100,
  mentionedIds: [],
  mentionsChannel: false,
  mentionsTopic: false,
};
const reader = (fields: Partial<Receiver> = {}): Receiver => ({
  userId: READER,
  queueId: 'q',
  alertWords: [],
  hasMuted: () => false,
  ...fields,
});
const NOTHING: PersonalFlags = { isRead: false, isStarred: false, isCollapsed: false };
const word = (text: string, addedAtMs = 0) => ({ alertWords: [{ word: text, addedAtMs }] });

test.each<[Partial<FlagFacts>, Partial<Receiver>, string[]]>([
  [{}, {}, []],
  [{}, { hasMuted: (id) => id === SENDER }, ['read']],
  [{}, { hasMuted: (id) => id === READER }, []],
  [{ mentionedIds: [READER, SENDER] }, {}, ['mentioned']],
  [{ mentionedIds: [SENDER] }, {}, []],
  [{ mentionsChannel: true }, {}, ['stream_wildcard_mentioned', 'wildcard_mentioned']],
  [{ mentionsTopic: true }, {}, ['topic_wildcard_mentioned', 'wildcard_mentioned']],
  [{ mentionsTopic: true, topicParticipantIds: [] }, {}, ['topic_wildcard_mentioned', 'wildcard_mentioned']],
  [{ mentionsTopic: true, topicParticipantIds: [READER] }, {}, ['topic_wildcard_mentioned', 'wildcard_mentioned']],
  [{ mentionsTopic: true, topicParticipantIds: [SENDER] }, {}, []],
  [
    { mentionsTopic: true, mentionsChannel: true, topicParticipantIds: [SENDER] },
    {},
    ['stream_wildcard_mentioned', 'wildcard_mentioned'],
  ],
  [{}, word('lunch'), ['has_alert_word']],
  [{}, word('lunch', 101), []],
  [{}, word('body'), []],
  [{ mentionedIds: [READER] }, word('lunch'), ['mentioned', 'has_alert_word']],
])('a message of which %j holds has for somebody with %j the flags %j', (facts, fields, flags) => {
  expect(flagsFor({ ...FACTS, ...facts })(reader(fields), NOTHING)).toEqual(flags);
});

test.each<[Partial<PersonalFlags>, string[]]>([
  [{ isRead: true }, ['read', 'mentioned']],
  [{ isStarred: true }, ['starred', 'mentioned']],
  [{ isRead: true, isCollapsed: true }, ['read', 'collapsed', 'mentioned']],
])('a message on which a receiver has set %j has these flags for them beside: %j', (own, flags) => {
  expect(flagsFor({ ...FACTS, mentionedIds: [READER] })(reader(), { ...NOTHING, ...own })).toEqual(flags);
});

test('the lists of mentioned users are read once, however many receivers there are', () => {
  let reads = 0;
  const ids = Array.from({ length: 5_000 }, (_, id) => id);
  const mentionedIds = new Proxy(ids, {
    get: (list, name, self) => {
      reads += 1;
      return Reflect.get(list, name, self);
    },
  });
  const flagsOf = flagsFor({ ...FACTS, mentionedIds });
  const readsToPrepare = reads;
  for (const userId of ids) flagsOf(reader({ userId }), NOTHING);
  expect(reads).toBe(readsToPrepare);
});
