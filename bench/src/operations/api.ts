import { Pool } from 'undici';

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  fields?: Record<string, string>;
  /** `Authorization` header; absent: that of the organization's owner. */
  authorization?: string;
  /** The benchmark fails if this is not in the answer. */
  expected?: string;
}

export const get = (path: string): ApiRequest => ({ method: 'GET', path });
export const post = (path: string, fields: Record<string, string>): ApiRequest => ({ method: 'POST', path, fields });

/** A client of the public API; with one connection it sends one request at a time. */
export class Api {
  readonly #pool: Pool;

  constructor(
    baseUrl: string,
    private readonly authorization: string,
    connections = 1,
  ) {
    this.#pool = new Pool(baseUrl, { connections, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 });
  }

  /** Returns the body; every answer must be a success. */
  async call({ method, path, fields, authorization, expected = '' }: ApiRequest): Promise<Buffer> {
    const answer = await this.#pool.request({
      method,
      path: `/api/v1${path}`,
      headers: {
        authorization: authorization ?? this.authorization,
        'content-type': 'application/x-www-form-urlencoded',
      },
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields).toString() }),
    });
    const body = Buffer.from(await answer.body.arrayBuffer());
    if (answer.statusCode !== 200 || !body.includes(expected)) {
      throw new Error(`${method} ${path} was answered with ${answer.statusCode}: ${body.subarray(0, 1_000)}`);
    }
    return body;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
