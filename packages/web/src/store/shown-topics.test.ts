import { matches, shownTopics } from './shown-topics';

const topics = Array.from({ length: 30 }, (_, at) => ({ name: `t${at}`, max_id: 100 - at }));
const show = (unread: string[], muted: string[] = [], here?: string) => {
  const { shown, moreCount } = shownTopics(topics, {
    isUnread: (name) => unread.includes(name),
    isMuted: (name) => muted.includes(name),
    isHere: (name) => name === here,
  });
  return `${shown.map(({ name }) => name).join()} +${moreCount}`;
};

test('the newest topics are shown, then those with unread messages, and where one is', () => {
  expect(show([])).toBe('t0,t1,t2,t3,t4 +25');
  expect(show(['t1', 't20'])).toBe('t0,t1,t2,t3,t4,t20 +24');
  expect(show([], [], 't29')).toBe('t0,t1,t2,t3,t4,t29 +24');
  expect(show(topics.map(({ name }) => name))).toBe('t0,t1,t2,t3,t4,t5,t6 +23');
});

test('muted topics are not shown, unless one is there', () => {
  expect(show(['t0'], ['t0', 't1'])).toBe('t2,t3,t4,t5,t6 +25');
  expect(show([], ['t0'], 't0')).toBe('t0,t1,t2,t3,t4 +25');
});

test.each([
  ['Release plans', 'pl', true],
  ['Release plans', 'plans rel', true],
  ['Release plans', 'ans', false],
  ['web-client/keys', 'keys', true],
  ['web-client', 'web-c', true],
  ['Äpfel', 'äp', true],
  ['anything', '', true],
])('%s is found by "%s": %s', (name, words, isFound) => {
  expect(matches(name, words)).toBe(isFound);
});
