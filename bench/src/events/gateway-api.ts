import { Pool } from 'undici';
import type { Organization } from './organization';
import type { PollingClient } from './poller';

const REGISTRATIONS_AT_ONCE = 16;

/** The benchmark's own requests to the gateway. */
export class GatewayApi {
  readonly #pool: Pool;

  constructor(private readonly organization: Organization) {
    const options = { connections: REGISTRATIONS_AT_ONCE, pipelining: 1, bodyTimeout: 0, headersTimeout: 0 };
    this.#pool = new Pool(`http://${organization.address}`, options);
  }

  async send(
    channel: string,
    content = 'The quick brown fox jumps over the lazy dog, again and again and again.',
  ): Promise<void> {
    await this.#post('/api/v1/messages', this.organization.sender, {
      type: 'channel',
      to: channel,
      topic: 'lunch',
      content,
    });
  }

  /** A queue for each of these people, for messages only. */
  async register(people: readonly string[]): Promise<PollingClient[]> {
    const clients: PollingClient[] = [];
    const waiting = people.entries();
    const worker = async () => {
      for (const [index, authorization] of waiting) {
        const fields = { event_types: '["message"]', fetch_event_types: '[]', apply_markdown: 'true' };
        const { queue_id: queueId } = await this.#post('/api/v1/register', authorization, fields);
        clients[index] = { authorization, queueId: queueId as string };
      }
    };
    await Promise.all(Array.from({ length: REGISTRATIONS_AT_ONCE }, worker));
    return clients;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  async #post(path: string, authorization: string, fields: Record<string, string>): Promise<Record<string, unknown>> {
    const { statusCode, body } = await this.#pool.request({
      method: 'POST',
      path,
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    const answer = (await body.json()) as Record<string, unknown>;
    if (statusCode !== 200) throw new Error(`${path} was answered with ${statusCode}: ${JSON.stringify(answer)}`);
    return answer;
  }
}
