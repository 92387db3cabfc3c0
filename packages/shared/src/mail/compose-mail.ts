import { textLanguage } from '../texts';
import { MAIL_TEXTS } from '../texts/mails';
import { escapeHtml, truncate } from '../values';
import type { MailHeaders } from './mail';

/** The content of a mail as plain data; composeMail() makes text and HTML of it. */
export interface MailWords {
  /** The language that the words are written in; absent: English. */
  language?: string;
  subject: string;
  paragraphs: readonly string[];
  /** A user's text, with its line breaks. */
  quote?: string;
  /** Below the quote: conversations, each with what was said there. */
  sections?: readonly MailSection[];
  /** The button's label and address. */
  action?: { label: string; url: string };
  /** The reason for the mail, and advice for recipients who did not expect it. */
  footer: string;
  /** The page that ends mails of this kind: a link below the footer, and a header by which mail programs end them (RFC 8058). */
  unsubscribeUrl?: string;
  /** How the mail fits into a conversation; absent: it does not. */
  headers?: MailHeaders;
}

/** A part of a mail with a heading of its own. */
export interface MailSection {
  heading: string;
  /** The place that the heading links to. */
  url?: string;
  quotes: readonly MailQuote[];
}

/** What somebody has said. */
export interface MailQuote {
  /** Who and when; absent: the same as before. */
  caption?: string;
  /** A user's text, with its line breaks; empty: it is not to be told. */
  text: string;
}

/** A mail without its recipient. */
export interface ComposedMail {
  subject: string;
  text: string;
  html: string;
  headers?: MailHeaders;
}

const MAX_SUBJECT_LENGTH = 200;

/** The layout of all mails. Names and quotes may contain anything: they are escaped. */
export function composeMail(words: MailWords): ComposedMail {
  const subject = truncate(inOneLine(words.subject), MAX_SUBJECT_LENGTH, '…');
  const { unsubscribeUrl } = words;
  const headers = { ...words.headers, ...(unsubscribeUrl !== undefined && { unsubscribeUrl }) };
  return { subject, text: toText(words), html: toHtml(subject, words), headers };
}

const layoutOf = ({ language = 'en' }: MailWords) => MAIL_TEXTS[textLanguage(language)].layout;

function toText(words: MailWords): string {
  const { paragraphs, quote, sections = [], action, footer, unsubscribeUrl } = words;
  const blocks = paragraphs.map(inOneLine);
  if (quote) blocks.push(quoted(quote));
  blocks.push(...sections.map(sectionText));
  if (action) blocks.push(`${action.label}:\n${action.url}`);
  const end = unsubscribeUrl === undefined ? '' : `\n${layoutOf(words).stop}:\n${unsubscribeUrl}`;
  return `${[...blocks, `-- \n${inOneLine(footer)}${end}`].join('\n\n')}\n`;
}

const quoted = (text: string) => text.replace(/^/gm, '> ');

function sectionText({ heading, url, quotes }: MailSection): string {
  const head = [`* ${inOneLine(heading)}`, ...(url === undefined ? [] : [url])].join('\n');
  const said = quotes.map(({ caption, text }) =>
    [...(caption === undefined ? [] : [`${inOneLine(caption)}:`]), ...(text === '' ? [] : [quoted(text)])].join('\n'),
  );
  return [head, ...said].filter((part) => part !== '').join('\n\n');
}

const BODY = 'margin:0;padding:24px;font:16px/1.5 sans-serif';
const MAIN = 'max-width:36em;margin:0 auto';
const QUOTE = 'margin:16px 0;padding:0 16px;border-left:4px solid #5b7fb4;white-space:pre-wrap';
// White on this blue has a contrast of more than 7 to 1.
const BUTTON =
  'display:inline-block;padding:12px 24px;border-radius:6px;background:#23508e;color:#fff;font-weight:bold;text-decoration:none';
const SMALL = 'font-size:14px';
const HEADING = 'margin:24px 0 8px;font-size:18px';

function toHtml(subject: string, words: MailWords): string {
  const { language = 'en', paragraphs, quote, sections = [], footer } = words;
  return `<!doctype html>
<html lang="${textLanguage(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="${BODY}">
<main style="${MAIN}">
${paragraphs.map((text) => `<p dir="auto">${escapeHtml(inOneLine(text))}</p>\n`).join('')}${quoteHtml(quote)}${sections.map(sectionHtml).join('')}${actionHtml(words)}<hr>
<p style="${SMALL}">${escapeHtml(inOneLine(footer))}</p>
${stopHtml(words)}</main>
</body>
</html>
`;
}

function quoteHtml(quote: string | undefined): string {
  return quote ? `<blockquote dir="auto" style="${QUOTE}">${escapeHtml(quote)}</blockquote>\n` : '';
}

function sectionHtml({ heading, url, quotes }: MailSection): string {
  const title = escapeHtml(inOneLine(heading));
  const linked = url === undefined ? title : `<a href="${escapeHtml(url)}">${title}</a>`;
  const said = quotes.map(({ caption, text }) => {
    const who = caption === undefined ? '' : `<p dir="auto"><b>${escapeHtml(inOneLine(caption))}</b></p>\n`;
    return who + quoteHtml(text);
  });
  return `<h2 dir="auto" style="${HEADING}">${linked}</h2>\n${said.join('')}`;
}

/** A button, followed by its address for readers who cannot use it. */
function actionHtml(words: MailWords): string {
  if (!words.action) return '';
  const url = escapeHtml(words.action.url);
  return `<p><a href="${url}" style="${BUTTON}">${escapeHtml(words.action.label)}</a></p>
<p style="${SMALL}">${escapeHtml(layoutOf(words).copyAddress)} <a href="${url}">${url}</a></p>
`;
}

function stopHtml(words: MailWords): string {
  if (words.unsubscribeUrl === undefined) return '';
  const label = escapeHtml(layoutOf(words).stop);
  return `<p style="${SMALL}"><a href="${escapeHtml(words.unsubscribeUrl)}">${label}</a></p>\n`;
}

/** A text without line breaks and characters that change the text direction, for headers and paragraphs. */
export function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
