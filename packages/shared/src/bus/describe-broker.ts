import type { Bus } from './bus';

/** What the broker says it is; for whoever operates it. Throws when it is away, or keeps nothing. */
export async function describeBroker({ connection, jsm }: Pick<Bus, 'connection' | 'jsm'>): Promise<string> {
  await connection.rtt();
  const { streams } = await jsm.getAccountInfo();
  const { version, max_payload: maxPayload } = connection.info ?? { version: '', max_payload: 0 };
  return `NATS ${version}, JetStream with ${streams} streams, max_payload ${maxPayload}`;
}
