import { escapeHtml, truncate } from '../values';

/** The content of a mail in plain data: composeMail() makes text and HTML of it. */
export interface MailWords {
  subject: string;
  paragraphs: readonly string[];
  /** A text of a user, with its line breaks. */
  quote?: string;
  /** Where to go on. */
  action?: { label: string; url: string };
  /** Why the mail came, and what to do if it was not wanted. */
  footer: string;
}

/** A mail without its address. */
export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
}

const MAX_SUBJECT_LENGTH = 200;

/** The one layout of all mails. Names and quotes may hold anything: they stay text. */
export function composeMail(words: MailWords): ComposedMail {
  const subject = truncate(inOneLine(words.subject), MAX_SUBJECT_LENGTH, '…');
  return { subject, text: toText(words), html: toHtml(subject, words) };
}

function toText({ paragraphs, quote, action, footer }: MailWords): string {
  const blocks = paragraphs.map(inOneLine);
  if (quote) blocks.push(quote.replace(/^/gm, '> '));
  if (action) blocks.push(`${action.label}:\n${action.url}`);
  return `${[...blocks, `-- \n${inOneLine(footer)}`].join('\n\n')}\n`;
}

const BODY = 'margin:0;padding:24px;font:16px/1.5 sans-serif';
const MAIN = 'max-width:36em;margin:0 auto';
const QUOTE = 'margin:16px 0;padding:0 16px;border-left:4px solid #5b7fb4;white-space:pre-wrap';
// White on this blue has a contrast of more than 7 to 1.
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:6px;background:#23508e;color:#fff;font-weight:bold;text-decoration:none';
const SMALL = 'font-size:14px';

function toHtml(subject: string, { paragraphs, quote, action, footer }: MailWords): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${BODY}">
<main style="${MAIN}">
${paragraphs.map((text) => `<p dir="auto">${escapeHtml(inOneLine(text))}</p>\n`).join('')}${quoteHtml(quote)}${actionHtml(action)}<hr>
<p style="${SMALL}">${escapeHtml(inOneLine(footer))}</p>
</main>
</body>
</html>
`;
}

function quoteHtml(quote: string | undefined): string {
  return quote ? `<blockquote dir="auto" style="${QUOTE}">${escapeHtml(quote)}</blockquote>\n` : '';
}

/** A button, and the address in full for readers who cannot press it. */
function actionHtml(action: MailWords['action']): string {
  if (!action) return '';
  const url = escapeHtml(action.url);
  return `<p><a href="${url}" style="${BUTTON}">${escapeHtml(action.label)}</a></p>
<p style="${SMALL}">Or copy this address: <a href="${url}">${url}</a></p>
`;
}

/** A text without anything that begins a line or turns the direction of what follows: as headers and paragraphs take it. */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
