import { Pool } from 'undici';

const USERS = '/scim/v2/Users';

/** An identity provider that makes users by SCIM. */
export class Provider {
  readonly #pool: Pool;

  constructor(
    baseUrl: string,
    private readonly token: string,
    private readonly connections: number,
  ) {
    this.#pool = new Pool(baseUrl, { connections, pipelining: 1 });
  }

  /** Makes users from one number up to another, as many at a time as there are connections. */
  async create(from: number, to: number): Promise<void> {
    let next = from;
    const work = async () => {
      while (next < to) await this.#create(next++);
    };
    await Promise.all(Array.from({ length: this.connections }, work));
  }

  /** Looks up a user by name, as providers do before they make one; returns the time that it took. */
  async find(n: number): Promise<number> {
    const begunAt = performance.now();
    const filter = encodeURIComponent(`userName eq "${userNameOf(n)}"`);
    const found = (await this.#ask('GET', `${USERS}?filter=${filter}`, 200)) as { totalResults: number };
    if (found.totalResults !== 1) throw new Error(`${found.totalResults} users have the name of user ${n}`);
    return performance.now() - begunAt;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #create(n: number): Promise<void> {
    const userName = userNameOf(n);
    const user = {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      ...{ userName, externalId: `id-${n}`, displayName: `Person ${n}`, active: true },
      emails: [{ value: userName, type: 'work', primary: true }],
    };
    await this.#ask('POST', USERS, 201, user);
  }

  async #ask(method: 'GET' | 'POST', path: string, expected: number, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/scim+json' };
    const answer = await this.#pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
    const text = await answer.body.text();
    if (answer.statusCode !== expected) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text);
  }
}

function userNameOf(n: number): string {
  return `person${n}@bench.example`;
}
