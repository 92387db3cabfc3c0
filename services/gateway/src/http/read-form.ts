import type { IncomingMessage } from 'node:http';
import querystring from 'node:querystring';
import { BadRequestError } from '@parley/shared/errors';
import busboy from 'busboy';
import { MAX_NAME_BYTES, MAX_PARAMETERS } from './bounds';
import type { SentParameters } from './decode-parameters';
import { hasBody, readBody } from './read-body';

const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];

type Pair = [name: string, value: string];

export interface Form {
  parameters: SentParameters;
  files: readonly Buffer[];
}

/**
 * All parameters of a request: the query, and a form of either kind with any method. The body takes precedence over the query.
 * Files are read if `maxUploadBytes` is given, which then limits the body, and dropped otherwise.
 */
export async function readForm(req: IncomingMessage, maxUploadBytes?: number): Promise<Form> {
  const query = await readQuery(req);
  if (!hasBody(req)) return query;
  const { pairs, files } = await readBodyForm(req, maxUploadBytes);
  return { parameters: new Map([...query.parameters, ...pairs]), files: maxUploadBytes === undefined ? [] : files };
}

/** The parameters in a request's address. */
export async function readQuery(req: IncomingMessage): Promise<Form> {
  const url = req.url as string;
  const mark = url.indexOf('?');
  return { parameters: new Map(mark < 0 ? [] : parseUrlencoded(Buffer.from(url.slice(mark + 1)))), files: [] };
}

interface BodyForm {
  pairs: Pair[];
  files: Buffer[];
}

async function readBodyForm(req: IncomingMessage, maxUploadBytes: number | undefined): Promise<BodyForm> {
  const encoding = req.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new BadRequestError(`Content-Encoding '${encoding}' is not supported`, {}, 415);
  }
  const body = await readBody(req, maxUploadBytes);
  const type = (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type === FORM_TYPES[0]) return { pairs: parseUrlencoded(body), files: [] };
  if (type === FORM_TYPES[1]) return parseMultipart(req, body);
  if (body.length > 0) throw unsupportedType(type);
  return { pairs: [], files: [] };
}

/** SPEC-GAP: refused, because otherwise the answer would only report missing parameters. */
export function unsupportedType(type: string | undefined): BadRequestError {
  const found = type ? `Content-Type '${type}' is not supported` : 'Content-Type is missing';
  return new BadRequestError(`${found}: send parameters as ${FORM_TYPES.join(' or ')}`, {}, 415);
}

function parseUrlencoded(bytes: Buffer): Pair[] {
  const text = withSpaces(bytes).toString();
  checkCount(text);
  // The last of several values counts.
  return text.split('&').flatMap((pair): Pair[] => {
    if (pair === '') return [];
    const mark = pair.indexOf('=');
    const [name, value] = mark < 0 ? [pair, ''] : [pair.slice(0, mark), pair.slice(mark + 1)];
    return [[decoded(name), decoded(value)]];
  });
}

const [PLUS, SPACE] = [0x2b, 0x20];

/** In place. NOTE: replaceAll takes twenty times as long, which for a large form would block the event loop. */
function withSpaces(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return bytes;
}

/** NOTE: querystring.parse takes ten times as long. */
function decoded(text: string): string {
  return text.includes('%') ? querystring.unescape(text) : text;
}

function checkCount(text: string): void {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    count += 1;
    if (count > MAX_PARAMETERS) throw tooMany();
  }
}

function parseMultipart(req: IncomingMessage, body: Buffer): Promise<BodyForm> {
  return new Promise((resolve, reject) => {
    const pairs: Pair[] = [];
    const files: Buffer[] = [];
    const malformed = (error: unknown) => reject(new BadRequestError(`Malformed form: ${(error as Error).message}`));
    try {
      const parser = busboy({
        headers: req.headers,
        limits: { parts: MAX_PARAMETERS, fieldNameSize: MAX_NAME_BYTES },
      });
      parser.on('field', (name, value, { nameTruncated }) => {
        if (!nameTruncated) pairs.push([name, value]);
      });
      parser.on('file', (_name, file) => {
        const chunks: Buffer[] = [];
        file.on('data', (chunk: Buffer) => chunks.push(chunk));
        file.on('end', () => files.push(Buffer.concat(chunks)));
      });
      parser.on('partsLimit', () => reject(tooMany()));
      parser.on('error', malformed);
      parser.on('close', () => resolve({ pairs, files }));
      parser.end(body);
    } catch (error) {
      malformed(error);
    }
  });
}

function tooMany(): BadRequestError {
  return new BadRequestError(`Too many parameters (limit: ${MAX_PARAMETERS})`);
}
