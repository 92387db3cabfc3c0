/** A request, as the client sent it. */
export interface Sent {
  method: string;
  path: string;
  /** Values that are JSON are parsed. */
  parameters: Record<string, unknown>;
  headers: Record<string, string>;
}

type Answer = Record<string, unknown> | Response;

/**
 * Answers the client's requests in place of a server: `answer` returns the fields of a success or a whole response, or throws what a
 * lost connection throws.
 */
export class FakeServer {
  readonly sent: Sent[] = [];
  answer: (request: Sent) => Answer | Promise<Answer> = () => ({});
  readonly #fetch = globalThis.fetch;

  start(): void {
    globalThis.fetch = async (address, init) => {
      const { pathname, searchParams } = new URL(String(address), 'http://chat.example');
      const form = init?.body ? new URLSearchParams(String(init.body)) : searchParams;
      const parameters = Object.fromEntries([...form].map(([name, value]) => [name, parsed(value)]));
      const headers = (init?.headers ?? {}) as Record<string, string>;
      const request = { method: init?.method ?? 'GET', path: pathname, parameters, headers };
      this.sent.push(request);
      const answer = await this.answer(request);
      return answer instanceof Response ? answer : Response.json({ result: 'success', msg: '', ...answer });
    };
  }

  stop(): void {
    globalThis.fetch = this.#fetch;
  }
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
