import { noteServerTime } from './server-time';

const API = '/json';
const TOKEN = /(?:^|; )(?:__Host-)?csrftoken=([\w-]+)/;

/** Browsers refuse more than 64 KiB. */
const LARGEST_KEPT_ALIVE = 60_000;

export type Parameters = Readonly<Record<string, unknown>>;

/** An error that the server answered. `code` is one of the API's. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** There was no answer: the network or the server is away. */
export class NoAnswerError extends Error {}

/** Whether the same may succeed later: there was no answer, the server is busy, or it is being restarted. */
export function isPassing(error: unknown): boolean {
  return error instanceof NoAnswerError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));
}

let token = '';

/** Workers have no cookies to read it from. */
export function setToken(given: string): void {
  token = given;
}

/** The token of this session, without which nothing can be changed; empty: signed out. */
export function readToken(): string {
  return TOKEN.exec(document.cookie)?.[1] ?? '';
}

interface CallExtras {
  signal?: AbortSignal | undefined;
  /** A repetition with the same key has the effect of the first call, and gets its answer. */
  key?: string;
  /** The call goes on when the page is left. */
  keepalive?: boolean;
}

/** Calls an operation of the API as the signed-in user. Throws ApiError and NoAnswerError. */
export async function call<Result = Record<string, unknown>>(
  method: string,
  path: string,
  parameters: Parameters = {},
  { signal, key, keepalive = false }: CallExtras = {},
): Promise<Result> {
  const form = encode(parameters);
  const inAddress = method === 'GET' || method === 'DELETE';
  const query = inAddress && form.size > 0 ? `?${form}` : '';
  const answer = await send(`${API}${path}${query}`, {
    method,
    keepalive: keepalive && form.toString().length < LARGEST_KEPT_ALIVE,
    headers: { ...(method !== 'GET' && changeHeaders()), ...(key !== undefined && { 'Idempotency-Key': key }) },
    ...(!inAddress && { body: form }),
    ...(signal && { signal }),
  });
  return resultOf<Result>(answer);
}

/** Calls an operation like `call`; resolves with the text of the answer, which can be passed on before it is parsed. */
export async function callForText(path: string, parameters: Parameters): Promise<string> {
  const init = { method: 'POST', headers: changeHeaders(), body: encode(parameters) };
  const { status, body } = await send(`${API}${path}`, init, (response) =>
    response.ok ? response.text() : response.json(),
  );
  return typeof body === 'string' ? body : resultOf({ status, body });
}

/** The same with a file, e.g. a picture. */
export async function callWithFile<Result = Record<string, unknown>>(
  method: string,
  path: string,
  file: File,
  parameters: Parameters = {},
): Promise<Result> {
  const body = new FormData();
  for (const [name, value] of encode(parameters)) body.append(name, value);
  body.append('file', file);
  return resultOf<Result>(await send(`${API}${path}`, { method, headers: changeHeaders(), body }));
}

function resultOf<Result>(response: Answer): Result {
  const { result, msg, code, ...fields } = response.body;
  if (response.status === 200 && result === 'success') return fields as Result;
  throw new ApiError(
    response.status,
    String(code ?? 'INTERNAL_SERVER_ERROR'),
    String(msg ?? 'Internal server error'),
    fields,
  );
}

/** Without these, nothing is changed. */
export function changeHeaders(): Record<string, string> {
  return { 'X-CSRFToken': typeof document === 'undefined' ? token : readToken() };
}

interface Answer<Body = Record<string, unknown>> {
  status: number;
  body: Body;
}

async function send<Body = Record<string, unknown>>(
  address: string,
  init: RequestInit,
  read = (response: Response): Promise<Body> => response.json(),
): Promise<Answer<Body>> {
  try {
    const response = await fetch(address, init);
    noteServerTime(response.headers.get('Date'));
    return { status: response.status, body: await read(response) };
  } catch (error) {
    if ((error as Error).name === 'AbortError') throw error;
    throw new NoAnswerError((error as Error).message);
  }
}

function encode(parameters: Parameters): URLSearchParams {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return new URLSearchParams(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** A public file of this server. */
export async function fetchFile<Result>(address: string): Promise<Result> {
  const { status, body } = await send(new URL(address, location.href).pathname, {});
  if (status !== 200) throw new ApiError(status, 'NOT_FOUND', 'Not found', body);
  return body as Result;
}
