import { expectInTime, renderOrRefuse } from '../../test/rendering-time';
import exampleFacts from './corpus/example-facts.json';
import { renderMarkdown } from './render-markdown';

const length = 100_000;

function filled(pattern: string): string {
  return pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length);
}

function staircase(step: string, line: string): string {
  return Array.from({ length: 400 }, (_, at) => step.repeat(at) + line).join('\n');
}

const inputs: Record<string, string> = {
  quotes: filled('>'),
  'quotes with spaces': filled('> '),
  'quotes line by line': staircase('>', 'a'),
  'quoted lines': filled('> a\n'),
  'opening brackets': filled('['),
  'paired brackets': '['.repeat(length / 2) + ']'.repeat(length / 2),
  links: filled('[a](b) '),
  'unclosed links': filled('[a]('),
  'unclosed links, closed at the end': `${filled('[a](')})`,
  'unclosed titles': filled('[a](b "'),
  'unclosed angle brackets': filled('[a](<'),
  stars: filled('*'),
  'stars and letters': filled('*a**b***c'),
  tildes: filled('~~a'),
  backticks: filled('`'),
  'backtick runs of every length': staircase('`', ' '),
  'unequal backticks': filled('`a``b```c'),
  'table rows': filled('a|b\n'),
  'a wide table': `${'|a'.repeat(2_000)}\n${'|-'.repeat(2_000)}\n${filled('|\n')}`,
  'a very wide table': `${filled('|a')}\n${filled('|-')}`,
  'backticks in a table': `${filled('|`')}\n${filled('|-')}`,
  rules: filled('---\n'),
  'almost a rule': `${filled('-  ')}x`,
  headings: filled('# a\n'),
  'headings between text': filled('a\n# a\n'),
  'marks after a heading': `# ${filled('#')}x`,
  'list items': filled('- a\n'),
  'lists in lists': filled('- '),
  'lists by indentation': staircase('  ', '- a'),
  'loose items': filled('- a\n\n'),
  'indented blocks': `- a\n\n${filled('  b\n\n')}`,
  'code blocks': filled('    a\nb\n\n'),
  spaces: `a${filled(' ')}b`,
  newlines: `a${filled('\n')}b`,
  'lines of spaces': `a${filled('\n ')}b`,
  fences: filled('```\n'),
  'fences in fences': filled('````quote\n```spoiler x\n'),
  'a long URL': filled('http://a.com/'),
  'unpaired parentheses': `http://a.com/${filled('(')}`,
  'closing parentheses': `http://a.com/${filled(')')}`,
  'beginnings of URLs': filled("'a.com/("),
  dots: filled('a.'),
  'at signs': filled('a@a'),
  'unclosed mentions': filled('@**'),
  mentions: filled('@**King Hamlet** '),
  'unclosed channel links': filled('#**Verona>'),
  'message links': `#**Verona>${filled('@1')}`,
  times: filled('<time:'),
  dollars: filled('$$'),
  formulas: filled('$$a$$ '),
  'one deep formula': `$$${filled('{')}$$`,
  'a formula that defines more and more': `$$\\def\\a{${'x'.repeat(2_000)}}${'\\a'.repeat(900)}$$`,
  fractions: `$$${filled('\\frac{a}{b}')}$$`,
  roots: `$$${'\\sqrt{'.repeat(400)}a${'}'.repeat(400)}$$`,
  'a wide matrix': `$$\\begin{matrix}${filled('a&')}\\end{matrix}$$`,
  'a long matrix': `$$\\begin{matrix}${filled('a&a\\\\')}\\end{matrix}$$`,
  'macros that double': '$$\\def\\a{xx}\\def\\b{\\a\\a}\\def\\c{\\b\\b}\\def\\d{\\c\\c}\\def\\e{\\d\\d}\\e\\e\\e$$',
  'characters without measures': `$$${filled('\u200d')}$$`,
  spoilers: filled('```spoiler a\n'),
  'spoilers in spoilers': Array.from({ length: 300 }, (_, at) => `${'`'.repeat(303 - at)}spoiler a`).join('\n'),
  'quotes in quotes by fences': Array.from({ length: 300 }, (_, at) => `${'~'.repeat(303 - at)}quote`).join('\n'),
  'tables in quotes': filled('> a|b\n> -|-\n> c|d\n\n'),
  'fractions without end': `\`\`\`math\n${filled('\\frac{')}`,
  colons: filled(':a'),
  emoji: filled('🙂'),
  'joined emoji': filled('👩\u200d'),
  ampersands: filled('&a;'),
  'linkifier matches': filled('#1 '),
  'private-use characters': filled('\u{100000}'),
  emoticons: filled(':) '),
  'code that is hard to tokenize': `\`\`\`js\n${filled('`${/')}`,
};

test.each(Object.entries(inputs))('%s are rendered or refused in time', (_name, content) => {
  expectInTime(() => renderOrRefuse(content));
});

test('a pattern of an administrator that explodes elsewhere stays linear', () => {
  const linkifiers = [{ id: 1, pattern: '(a+)+b', urlTemplate: 'https://example.com' }];
  expectInTime(() => renderMarkdown('a'.repeat(10_000), { ...exampleFacts, linkifiers }));
});

test('characters that KaTeX cannot measure are not written to the log', () => {
  const warn = jest.spyOn(console, 'warn');
  renderMarkdown(`$$${'\u200d'.repeat(100)}$$`, exampleFacts);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});

test('a quote deeper than the bound is text', () => {
  const { html } = renderMarkdown(`${'>'.repeat(60)} a`, exampleFacts);
  expect(html.split('<blockquote>').length - 1).toBe(39);
  expect(html).toContain('&gt; a');
});
