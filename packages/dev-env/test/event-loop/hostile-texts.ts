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
  'what linkifiers look for': filled('#1 '),
};
