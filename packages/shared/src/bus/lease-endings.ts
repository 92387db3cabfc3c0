import type { NatsConnection } from 'nats';

// Realm tells every holder of leases what a transaction changes, before it commits, and waits for their answers.

/** What is leased about a user has changed, or about all users of the organization (null). */
export interface LeaseEnding {
  realmId: number;
  userId: number | null;
}

interface Told {
  connection: NatsConnection;
  /** See NATS_PREFIX. */
  prefix: string;
}

/** A holder answers at once. One that does not is cut off from the broker, or is no more. */
const ANSWER_MS = 400;

const subjectOf = ({ prefix }: Told, holderId: string) => `${prefix}leases.${holderId}`;

/** Tells holders, all at once. Returns those that have not answered: they may still use their leases. */
export async function tellHolders(
  bus: Told,
  holderIds: readonly string[],
  endings: readonly LeaseEnding[],
): Promise<string[]> {
  const text = JSON.stringify(endings);
  const told = holderIds.map((id) => ask(bus, id, text));
  const answers = await Promise.all(told);
  return holderIds.filter((_, index) => !answers[index]);
}

/** Whether the broker leads from this process to the holder. */
export function reachesHolder(bus: Told, holderId: string): Promise<boolean> {
  return ask(bus, holderId, '[]');
}

async function ask(bus: Told, holderId: string, text: string): Promise<boolean> {
  try {
    await bus.connection.request(subjectOf(bus, holderId), text, { timeout: ANSWER_MS });
    return true;
  } catch {
    return false;
  }
}

/** For a holder: `end` has forgotten the leases when it returns. Returns how to stop listening. */
export function followLeaseEndings(bus: Told, holderId: string, end: (endings: LeaseEnding[]) => void): () => void {
  const subscription = bus.connection.subscribe(subjectOf(bus, holderId), {
    callback: (error, message) => {
      if (error) return;
      end(message.json<LeaseEnding[]>());
      message.respond();
    },
  });
  return () => subscription.unsubscribe();
}
