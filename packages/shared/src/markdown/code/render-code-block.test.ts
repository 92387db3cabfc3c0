import { serialise } from '../html-node';
import { finish, RenderBudget } from '../render-budget';
import lexerNames from './lexer-names.json';
import { renderCodeBlock } from './render-code-block';

const code = [
  '#!/usr/bin/env x',
  '// a # b -- c; /* d',
  'e */ <f g="h=i j">k &amp; l</f>',
  '"m \\n %(o)s #{o}" \'p\' `q` """r',
  's"""',
  '@t def u(v: int = 0x1F) -> w[1.5e3] { return !x && y || z; }',
  'SELECT a FROM b; import c.d as e; $f = :g <- {h: "i"}',
  '\tj \u200b é 日本 🙂 \\',
].join('\n');

const html = (source: string, language: string) =>
  serialise([finish(renderCodeBlock(source, language, new RenderBudget()))]);

/** The structure that clients expect: a list of spans with one class each, not nested. */
const shape =
  /^<div class="codehilite" data-code-language="([^"]*)"><pre><span><\/span><code>((?:[^<]|<span class="[a-z0-9]{1,3}">[^<]+<\/span>)*)\n<\/code><\/pre><\/div>$/;

test.each(Object.entries(lexerNames))('%s is what all its names stand for, and keeps its text', (lexer, aliases) => {
  for (const alias of aliases.split(' ')) expect(html('', alias)).toContain(`data-code-language="${lexer}"`);
  const [, named, inner = ''] = shape.exec(html(code, aliases.split(' ')[0] ?? '')) ?? [];
  expect(named).toBe(lexer);
  expect(inner.replaceAll(/<[^>]*>/g, '')).toBe(
    code.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  );
  expect(inner).not.toMatch(/<span class="[^"]*">[^<]*\n/);
});

test('code that is too long is not taken apart, and comes out whole', () => {
  const long = 'let a = 1;\n'.repeat(1_000).trimEnd();
  expect(html(long, 'js')).toBe(
    `<div class="codehilite" data-code-language="JavaScript"><pre><span></span><code>${long}\n</code></pre></div>`,
  );
});
