import { markdownCorpus } from '../../testing/markdown-corpus';
import exampleFacts from '../corpus/example-facts.json';
import { renderMarkdown } from '../render-markdown';
import { sanitise } from './sanitise';

function htmlOf(content: string): string {
  return renderMarkdown(content, exampleFacts).html;
}

/** Formulas that together use everything KaTeX can generate. */
const formulas = [
  '\\frac{a}{b}+\\sqrt[3]{x}-\\binom{n}{k}',
  '\\sum_{i=0}^n \\int\\limits_a^b \\lim_{x\\to 0}',
  '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}\\begin{cases}a&b\\\\c&d\\end{cases}',
  '\\begin{array}{|c:r|}\\hline a&b\\\\\\hdashline c&d\\end{array}',
  '\\overbrace{a}^b \\underbrace{a}_b \\widehat{abc} \\overrightarrow{AB} \\xrightarrow[a]{b} \\utilde{x}',
  '\\color{red}a \\textcolor{#0f0}{b} \\colorbox{yellow}{c} \\fcolorbox{red}{blue}{d} \\boxed{e}',
  '\\cancel{a} \\bcancel{b} \\xcancel{c} \\sout{d} \\phase{e} \\angl{n}',
  '\\mathbb R \\mathcal A \\mathfrak g \\mathsf x \\mathtt y \\mathbf z \\mathscr S \\boldsymbol \\alpha \\pmb{x}',
  '\\text{é 日本 Ж \\textbf{b} \\textit{i} \\texttt{t} \\textsf{s}} \\operatorname{f}',
  '\\left(\\Big|\\bigg\\{\\Bigg\\langle\\middle/\\right] \\left\\lgroup x \\right\\rmoustache',
  '\\tiny a \\Huge b \\rule{1em}{2em} \\raisebox{1em}{x} \\smash{y} \\llap{a} \\rlap{b} \\hphantom{c} \\vcenter{d}',
  '\\overline{a}\\underline{b} \\vec v \\dot x \\not= \\stackrel{a}{b} \\mathring a \\overgroup{ab} \\overlinesegment{a}',
  '\\begin{CD}A @>a>> B\\\\@VbVV @AAcA\\\\C @= D\\end{CD}',
  '\\begin{align}a&=b\\tag{1}\\\\c&=d\\end{align}',
  "f'' \\& \\% < > \\prod\\nolimits_a \\oiint \\mathop{x} \\KaTeX \\LaTeX \\surd \\sqrt{\\frac{\\frac12}{\\frac34}}",
  'ａ＋Ω 𝔸 한 \\mathrm{d}x \\, \\quad \\hspace{1cm} \\dots \\vdots \\ddots',
];

describe('output of the renderer passes unchanged', () => {
  const contents = Object.values(markdownCorpus())
    .flat()
    .map(({ input }) => input);

  test.each([...contents, ...formulas.flatMap((tex) => [`$$${tex}$$`, `\`\`\`math\n${tex}\n\`\`\``])])(
    '%j',
    (content) => {
      const html = htmlOf(content);
      expect(sanitise(html)).toBe(html);
    },
  );

  test('the formulas are none that KaTeX refuses', () => {
    expect(formulas.filter((tex) => htmlOf(`\`\`\`math\n${tex}\n\`\`\``).includes('tex-error'))).toEqual([]);
  });
});

describe('anything else is cut', () => {
  test.each([
    ['a script', '<p>a<script>alert(1)</script></p>', '<p>a</p>'],
    ['a style element', '<style>p{}</style><p>a</p>', '<p>a</p>'],
    ['an unknown element', '<marquee>a</marquee>', 'a'],
    ['an iframe', '<iframe src="https://example.com"></iframe>', ''],
    ['an object', '<object data="x"></object><embed src="x">', ''],
    ['a form', '<form action="x"><input name="a"><button>b</button></form>', 'b'],
    ['an event handler', '<p onclick="alert(1)">a</p>', '<p>a</p>'],
    ['an event handler in upper case', '<img ONERROR=alert(1) src="/a">', '<img src="/a">'],
    ['a javascript link', '<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    ['a javascript link behind an entity', '<a href="&#106;avascript:alert(1)">a</a>', '<a>a</a>'],
    ['a javascript link with an entity for its colon', '<a href="javascript&colon;alert(1)">a</a>', '<a>a</a>'],
    ['a javascript link behind a space', '<a href=" javascript:alert(1)">a</a>', '<a>a</a>'],
    ['a javascript link with a newline', '<a href="java\nscript:alert(1)">a</a>', '<a>a</a>'],
    ['a data image', '<img src="data:image/svg+xml,x">', '<img>'],
    ['a link to another host without a scheme', '<a href="//example.com">a</a>', '<a>a</a>'],
    ['the same behind an entity', '<a href="/&#47;example.com">a</a>', '<a>a</a>'],
    ['the same with a backslash', '<a href="/\\example.com">a</a>', '<a>a</a>'],
    ['a target', '<a href="/a" target="_blank">a</a>', '<a href="/a">a</a>'],
    ['an unknown class', '<span class="user-mention evil">a</span>', '<span>a</span>'],
    ['a class of another element', '<p class="user-mention">a</p>', '<p>a</p>'],
    ['an id', '<p id="a">b</p>', '<p>b</p>'],
    ['a name', '<a name="a">b</a>', '<a>b</a>'],
    [
      'a user id that is none',
      '<span class="user-mention" data-user-id="1 x">a</span>',
      '<span class="user-mention">a</span>',
    ],
    ['a style on a paragraph', '<p style="color:red">a</p>', '<p>a</p>'],
    ['a style that loads something', '<span style="background:url(x)">a</span>', '<span>a</span>'],
    ['a style with an escape', '<span style="background:\\75rl(x)">a</span>', '<span>a</span>'],
    ['another alignment', '<td style="text-align: left; color: red">a</td>', '<td>a</td>'],
    ['a comment', '<p>a<!-- b --></p>', '<p>a</p>'],
    ['SVG with a script', '<svg><script>alert(1)</script><g onload="x"></g></svg>', '<svg></svg>'],
    ['MathML with a link', '<math><mi href="javascript:x">a</mi></math>', '<math><mi>a</mi></math>'],
    ['a time that is none', '<time datetime="now">a</time>', '<time>a</time>'],
    ['an unclosed element', '<p>a', '<p>a</p>'],
  ])('%s', (_name, html, safe) => {
    expect(sanitise(html)).toBe(safe);
  });
});
