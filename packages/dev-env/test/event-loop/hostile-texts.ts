const LENGTH = 10_000;

function filled(pattern: string, before = '', after = ''): string {
  const room = LENGTH - before.length - after.length;
  return `${before}${pattern.repeat(Math.floor(room / pattern.length))}${after}`;
}

/** As long as a message may be, and hard to render; whether each ends at all is tested with the renderer. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'nested quotes': filled('>'),
  'nested lists': Array.from({ length: 200 }, (_each, at) => `${'  '.repeat(at % 40)}- a`).join('\n'),
  'quotes in quotes by fences': Array.from({ length: 95 }, (_each, at) => `${'~'.repeat(98 - at)}quote`).join('\n'),
  'tables in quotes': filled('> a|b\n> -|-\n> c|d\n\n'),
  'a long table': filled('a|b\n', 'a|b\n-|-\n'),
  mentions: filled('@**Iris Abara** '),
  'unclosed mentions': filled('@**'),
  links: filled('[a](b) '),
  pictures: filled('http://a.b/c.png '),
  'paired brackets': '['.repeat(LENGTH / 2) + ']'.repeat(LENGTH / 2),
  stars: filled('*a**b***c'),
  headings: filled('# a\n'),
  emoji: filled('👩\u200d'),
  emoticons: filled(':) '),
  formulas: filled('$$x^2$$ '),
  fractions: filled('\\frac{a}{b}', '$$', '$$'),
  roots: `$$${'\\sqrt{'.repeat(400)}a${'}'.repeat(400)}$$`,
  'a long matrix': filled('a&a\\\\', '$$\\begin{matrix}', '\\end{matrix}$$'),
  'blocks of code': filled('```js\nlet a = 1;\n```\n'),
  'code of one kind': filled('let a = b(1) + "x";\n', '```js\n', '```'),
  'code that is hard to tokenize': filled('`${/', '```js\n'),
  // Much longer ones are refused.
  'one long formula': `\`\`\`math\n${'x^{2}+'.repeat(500)}1\n\`\`\``,
  'one long sum of fractions': `\`\`\`math\n${'\\frac{a}{b}+'.repeat(200)}1\n\`\`\``,
  'one long line of code': filled('a(b[c]);', '```js\n', '\n```'),
  'one long string in code': filled('\\"', '```python\n"', '\n```'),
  'one long word': filled('a'),
  'one long address': filled('a.', 'http://'),
  'nothing but lines': filled('\n', 'a', 'a'),
  'a list of values': filled('a,"b",'),
  times: filled('<time:2030-01-01> '),
  'channels and topics': filled('#**large>x** '),
  'what linkifiers look for': filled('#1 '),
};
