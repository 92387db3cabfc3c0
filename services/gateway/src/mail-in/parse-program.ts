import type { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import type { AttachmentStream, MailParser as Parser } from 'mailparser';

/** A mail to be parsed, and the bounds of what is read of it. */
export interface ParseJob {
  /** The mail as received, in parts. */
  chunks: readonly Uint8Array[];
  /** Also if the mail has a plain text. */
  wantsHtml: boolean;
  limits: { headBytes: number; parts: number; textLength: number; htmlLength: number; attachments: number };
}

export interface ParsedAttachment {
  name: string;
  contentType: string;
  /** Shown within the HTML, such as a logo. */
  isEmbedded: boolean;
  content: Uint8Array;
}

export interface ParsedMail {
  from: { name: string; address: string };
  subject: string;
  /** The first of each header, unfolded, by its name in lower case. */
  headers: Record<string, string>;
  /** The plain text, cut to the limit; empty: none. */
  text: string;
  /** The HTML as Markdown. */
  markdown: string;
  attachments: ParsedAttachment[];
  /** Number of further attachments, which were not kept. */
  droppedAttachments: number;
}

export type ParseAnswer = { mail: ParsedMail } | { failure: string };

/** What the thread has: its port, and a `require` that finds the gateway's packages. */
interface Door {
  port: Pick<MessagePort, 'on' | 'postMessage'>;
  load(name: string): unknown;
}

// The functions below run in a thread of their own, since a mail can take long, and be made to. The thread gets their texts only: they
// use their parameters, one another, and what Node has everywhere.

function answerJobs({ port, load }: Door): void {
  port.on('message', (job: ParseJob) => {
    parse(load, job).then(
      (mail) => {
        const contents = mail.attachments.map(({ content }) => content.buffer as ArrayBuffer);
        port.postMessage({ mail } satisfies ParseAnswer, contents);
      },
      (error: Error) => port.postMessage({ failure: error.message } satisfies ParseAnswer),
    );
  });
}

async function parse(load: Door['load'], { chunks, wantsHtml, limits }: ParseJob): Promise<ParsedMail> {
  const { MailParser } = load('mailparser') as { MailParser: typeof Parser };
  const parser = new MailParser({
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepDeliveryStatus: true,
    // A mail within a mail stays a file.
    ignoreEmbedded: true,
    checksumAlgo: false,
    maxHeadSize: limits.headBytes,
    maxChildNodes: limits.parts,
  });
  const collected = collect(parser, limits.attachments);
  for (const chunk of chunks) {
    const isFull = !parser.write(Buffer.from(chunk));
    if (isFull) await Promise.race([new Promise((resolve) => parser.once('drain', resolve)), collected]);
  }
  parser.end();
  const { html, ...mail } = await collected;
  const isHtmlUsed = html !== '' && (wantsHtml || mail.text.trim() === '');
  const markdown = isHtmlUsed ? toMarkdown(load, html.slice(0, limits.htmlLength)) : '';
  return { ...mail, text: mail.text.slice(0, limits.textLength), markdown: markdown.slice(0, limits.textLength) };
}

type Collected = ParsedMail & { html: string };

function collect(parser: Parser, maxAttachments: number): Promise<Collected> {
  const mail: Collected = {
    ...{ from: { name: '', address: '' }, subject: '', headers: {}, text: '', html: '' },
    ...{ markdown: '', attachments: [], droppedAttachments: 0 },
  };
  const reading: Promise<void>[] = [];
  return new Promise((resolve, reject) => {
    parser.on('error', reject);
    parser.on('headers', (headers) => noteSender(mail, headers));
    parser.on('headerLines', (lines) => {
      mail.headers = Object.fromEntries(lines.toReversed().map(({ key, line }) => [key, unfolded(line)]));
    });
    parser.on('data', (part) => {
      if (part.type === 'text') return Object.assign(mail, { text: part.text ?? '', html: part.html ?? '' });
      const isRead = keep(mail, part, maxAttachments);
      isRead.catch(reject);
      return reading.push(isRead);
    });
    parser.on('end', () => Promise.all(reading).then(() => resolve(mail), reject));
  });
}

function noteSender(mail: Collected, headers: ReadonlyMap<string, unknown>): void {
  const subject = headers.get('subject');
  if (typeof subject === 'string') mail.subject = subject;
  const from = headers.get('from') as { value?: { name?: string; address?: string }[] } | undefined;
  const [sender] = from?.value ?? [];
  mail.from = { name: sender?.name ?? '', address: sender?.address ?? '' };
}

function unfolded(line: string): string {
  const value = line.slice(line.indexOf(':') + 1).replace(/\r?\n[ \t]+/g, ' ');
  return value.trim().slice(0, 2_000);
}

async function keep(mail: Collected, part: AttachmentStream, maxAttachments: number): Promise<void> {
  const isKept = mail.attachments.length < maxAttachments;
  const { filename, contentType, related } = part;
  const attachment = { name: filename ?? '', contentType, isEmbedded: related === true, content: new Uint8Array() };
  if (isKept) mail.attachments.push(attachment);
  else mail.droppedAttachments += 1;
  const chunks: Buffer[] = [];
  for await (const chunk of part.content as Readable) if (isKept) chunks.push(chunk as Buffer);
  // A copy, which can be handed over without its neighbors in Node's pool.
  attachment.content = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    attachment.content.set(chunk, at);
    at += chunk.length;
  }
  part.release?.();
}

/** Empty if it cannot be read, for instance because it is nested too deeply. */
function toMarkdown(load: Door['load'], html: string): string {
  const Turndown = load('turndown') as typeof import('turndown');
  const service = new Turndown({
    headingStyle: 'atx',
    bulletListMarker: '*',
    codeBlockStyle: 'fenced',
    emDelimiter: '*',
  });
  // Messages have no escapes: a backslash would be shown.
  service.escape = (text) => text;
  service.remove(['head', 'style', 'script', 'title', 'noscript']);
  service.addRule('no pictures', { filter: 'img', replacement: () => '' });
  service.addRule('bare links', {
    filter: (node) => node.nodeName === 'A' && (node.textContent ?? '').trim() === node.getAttribute('href'),
    replacement: (content) => content,
  });
  try {
    return service.turndown(html);
  } catch {
    return '';
  }
}

/** The program of the thread; `workerData` is the path of the module that begins it. */
export const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
${[answerJobs, parse, collect, noteSender, unfolded, keep, toMarkdown].join('\n')}
answerJobs({ port: parentPort, load: require('node:module').createRequire(workerData) });
`;
