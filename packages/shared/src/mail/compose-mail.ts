import { escapeHtml, truncate } from '../values';

/** The content of a mail as plain data; composeMail() makes text and HTML of it. */
export interface MailWords {
  subject: string;
  paragraphs: readonly string[];
  /** A user's text, with its line breaks. */
  quote?: string;
  /** The button's label and address. */
  action?: { label: string; url: string };
  /** The reason for the mail, and advice for recipients who did not expect it. */
  footer: string;
}

/** A mail without its recipient. */
export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
}

const MAX_SUBJECT_LENGTH = 200;

/** The layout of all mails. Names and quotes may contain anything: they are escaped. */
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

/** A button, followed by its address for readers who cannot use it. */
function actionHtml(action: MailWords['action']): string {
  if (!action) return '';
  const url = escapeHtml(action.url);
  return `<p><a href="${url}" style="${BUTTON}">${escapeHtml(action.label)}</a></p>
<p style="${SMALL}">Or copy this address: <a href="${url}">${url}</a></p>
`;
}

/** A text without line breaks and characters that change the text direction, for headers and paragraphs. */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
