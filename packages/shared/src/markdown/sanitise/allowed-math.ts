import type { AllowedTags } from './allowed-html';

/** The classes that KaTeX writes. */
const classes =
  'accent accent-body accent-full accentunder allowbreak amsrm angl anglpad armenian_fallback arraycolsep base ' +
  'boldsymbol boxpad brace-center brace-left brace-right brahmic_fallback cancel-lap cancel-pad cd-arrow-pad ' +
  'cd-label-left cd-label-right cd-vert-arrow cjk_fallback clap col-align-c col-align-l col-align-r cyrillic_fallback ' +
  'delim-size1 delim-size4 delimcenter delimsizing delimsizinginner enclosing eqn-num fbox fcolorbox fix fleqn ' +
  'fontsize-ensurer frac-line georgian_fallback halfarrow-left halfarrow-right hangul_fallback hbox hdashline hide-tail ' +
  'hline inner katex katex-display katex-html katex-mathml large-op latin_fallback leftmost leqno llap mainrm math ' +
  'mathbb mathbf mathboldfrak mathboldsf mathcal mathfrak mathit mathitsf mathnormal mathrm mathscr mathsf mathsfit ' +
  'mathtt mbin mclose mfrac minner mml-eqn-num mop mopen mord mover mpunct mrel mspace msupsub mtable mtight mtr-glue ' +
  'mult munder negativethinspace newline nobreak nulldelimiter op-limits op-symbol overlay overline overline-line ' +
  'pstrut rightmost rlap root rule sizing small-op smash sout sqrt stretchy strut svg-align tag text textbb textbf ' +
  'textboldfrak textboldsf textfrak textit textitsf textrm textscr textsf texttt thinbox underline underline-line ' +
  'vbox vcenter vertical-separator vlist vlist-r vlist-s vlist-t vlist-t2 x-arrow x-arrow-pad';

const numbered = '(?:reset-)?size(?:[1-9]|1[01])';
const className = `(?:${classes.split(' ').join('|')}|${numbered})`;
export const mathClasses = new RegExp(`^(?:${className}(?: |$))+$`);

/** Lengths, names and colours, but no function: nothing in a style can load anything. */
const style = /^(?:[a-z-]+: ?[\w.#%+ -]+(?:;|$))+$/;
const word = /^[\w.#%+ ()-]*$/;

/** Elements and attributes of KaTeX's HTML and MathML, beside `span`. */
export const allowedMath: AllowedTags = {
  math: { display: /^block$/, xmlns: /^http:\/\/www\.w3\.org\/1998\/Math\/MathML$/ },
  semantics: {},
  annotation: { encoding: /^application\/x-tex$/ },
  svg: {
    height: word,
    preserveAspectRatio: word,
    style,
    viewBox: word,
    width: word,
    xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
  },
  path: { d: /^[\w\s.,-]*$/ },
  line: { 'stroke-width': word, x1: word, x2: word, y1: word, y2: word },
};

const mathMl =
  'menclose mfrac mi mlabeledtr mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup';
const moreMathMl = 'mtable mtd mtext mtr munder munderover';
const mathMlAttributes =
  'accent accentunder columnalign columnlines columnspacing depth displaystyle fence height largeop linebreak ' +
  'linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowlines ' +
  'rowspacing rspace scriptlevel separator side stretchy symmetric valign voffset width';

for (const tag of `${mathMl} ${moreMathMl}`.split(' ')) {
  const attributes = mathMlAttributes.split(' ').map((name) => [name, word] as const);
  allowedMath[tag] = { ...Object.fromEntries(attributes), class: mathClasses, style };
}

export const mathSpan = { 'aria-hidden': /^true$/, style };
