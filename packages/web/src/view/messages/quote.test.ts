import { quoteOf } from './quote';

const ANN = { name: 'Ann', userId: 9 };

test.each([
  ['Soup?', '@_**Ann|9** [said](http://x/#narrow):\n```quote\nSoup?\n```\n'],
  ['```py\n1\n```', '@_**Ann|9** [said](http://x/#narrow):\n````quote\n```py\n1\n```\n````\n'],
  ['in `code` ``` inline', '@_**Ann|9** [said](http://x/#narrow):\n```quote\nin `code` ``` inline\n```\n'],
])('%j is quoted with a fence that ends where it ends', (content, quoted) => {
  expect(quoteOf(ANN, 'http://x/#narrow', 'said', content)).toBe(quoted);
});
