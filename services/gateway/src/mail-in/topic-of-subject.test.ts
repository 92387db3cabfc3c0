import { isForwarded, topicOfSubject } from './topic-of-subject';

test.each([
  ['Lunch', 'Lunch'],
  ['Re: Lunch', 'Lunch'],
  ['RE: Fwd: AW: WG: Lunch', 'Lunch'],
  ['Re[2]: Re(3): Lunch', 'Lunch'],
  ['Antw: Mittag', 'Mittag'],
  ['Regarding: lunch', 'Regarding: lunch'],
  ['  two\r\n\tlines\u0007 ', 'two lines'],
  ['', '(no topic)'],
  ['Re: ', '(no topic)'],
  ['(no topic)', '(no topic)'],
  ['x'.repeat(80), `${'x'.repeat(57)}...`],
  [`${'Re: '.repeat(15)}deep`, 'deep'],
])('the topic of %j is %j', (subject, topic) => {
  expect(topicOfSubject(subject)).toBe(topic);
});

test.each([
  ['Fwd: Lunch', true],
  ['FW: Lunch', true],
  ['WG: Mittag', true],
  ['Re: Fwd: Lunch', false],
  ['Lunch', false],
])('%j is forwarded: %j', (subject, expected) => {
  expect(isForwarded(subject)).toBe(expected);
});
