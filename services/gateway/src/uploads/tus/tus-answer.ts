import { BadRequestError, PublicError, RealmUploadQuotaError } from '@parley/shared/errors';
import type { Context } from '../../context';
import { type Answer, failure } from '../../http/answer';
import type { Exchange } from '../../http/exchange';
import { exposedHeaders } from '../../http/security-headers';

const TUS_VERSION = '1.0.0';

/** Headers of every answer of the protocol, readable for scripts of other origins. */
const HEADERS = {
  'Tus-Resumable': TUS_VERSION,
  'Access-Control-Expose-Headers': exposedHeaders([
    'Tus-Extension',
    'Tus-Max-Size',
    'Tus-Resumable',
    'Tus-Version',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Offset',
  ]),
};

const EXTENSIONS = 'creation,creation-with-upload,termination';

/** The answer to OPTIONS: the supported extensions. */
export function describeProtocol({ uploads }: Context): Answer {
  const described = {
    'Tus-Version': TUS_VERSION,
    'Tus-Extension': EXTENSIONS,
    'Tus-Max-Size': String(uploads.maxBytes),
  };
  return { status: 204, body: '', headers: { ...HEADERS, ...described } };
}

/** The common part of the protocol's requests: its version, its headers, and its form of errors. */
export async function tusAnswer(exchange: Exchange, work: () => Promise<Answer>): Promise<Answer> {
  const answer = await checkedWork(exchange, work).catch(refusal);
  return { ...answer, headers: { ...HEADERS, ...answer.headers } };
}

async function checkedWork(exchange: Exchange, work: () => Promise<Answer>): Promise<Answer> {
  if (exchange.header('tus-resumable') !== TUS_VERSION) {
    return { status: 412, body: '', headers: { 'Tus-Version': TUS_VERSION } };
  }
  return work();
}

function refusal(error: unknown): Answer {
  if (!(error instanceof PublicError)) throw error;
  const { headers } = failure(error);
  return { status: statusOf(error), body: JSON.stringify({ message: error.message }), ...(headers && { headers }) };
}

/** Clients retry after 400 only. */
function statusOf(error: PublicError): number {
  if (error instanceof RealmUploadQuotaError) return 413;
  return error.httpStatus === 400 ? 422 : error.httpStatus;
}

/** A header with a number of bytes. */
export function byteCount(exchange: Exchange, name: string): number {
  const text = exchange.header(name) ?? '';
  if (!/^\d{1,15}$/.test(text)) throw new BadRequestError(`Invalid ${name}`, {}, 422);
  return Number(text);
}
