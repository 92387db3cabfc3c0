import { withheldText } from './withheld-text';

const SENTENCE = 'You requested a reminder for a message that you may not read any more.';
const QUOTE = '\n\n@_**Eve|9** [said](/#narrow/channel/3-plans/topic/x/near/7):\n```quote\n> a secret\n```';

test.each([
  ['no note', `You requested a reminder for #**plans>x@7**.${QUOTE}`, SENTENCE],
  ['a topic that looks like one', `You requested a reminder for #**plans>x. Note:@7**.${QUOTE}`, SENTENCE],
  ['a note', `You requested a reminder for #**plans>x@7**. Note:\n> Ask${QUOTE}`, `${SENTENCE} Note:\n> Ask`],
  [
    'a note of several lines',
    `You requested a reminder for #**plans>x@7**. Note:\n> Ask\n> \n> > again${QUOTE}`,
    `${SENTENCE} Note:\n> Ask\n> \n> > again`,
  ],
  ['nothing but a note', 'You requested a reminder for #**plans>x@7**. Note:\n> Ask', `${SENTENCE} Note:\n> Ask`],
])('remaining text of a reminder with %s', (_name, content, expected) => {
  expect(withheldText(content)).toBe(expected);
});
