import { type Contract, messageOf, reach } from './proto-faults';

export interface Payloads {
  /** By event and member, whether it is required: `MessageSent.queueId` → false. */
  members: Map<string, boolean>;
  /** Messages of .proto files that events carry. */
  carried: Set<string>;
}

/** Files of events: declarations and shared parts; without the declaring functions and tests. */
export const HOLDS_PAYLOADS = /^(?!.*(\/declare-[\w-]+|\.test)\.ts$)/;

const PAYLOAD = /^export interface (\w+)[^{]*\{\n(.*?)^\}/gms;
const MEMBER = /^ {2}(?:readonly )?(\w+)(\??): /gm;
const FROM_PROTO = /^import type \{([^}]*)\} from '\.\.\/proto';/m;

/** Reads files of domain events. */
export function readPayloads(texts: readonly string[]): Payloads {
  const payloads: Payloads = { members: new Map(), carried: new Set() };
  for (const text of texts) {
    for (const [, name, body] of text.matchAll(PAYLOAD)) {
      for (const [, member, mark] of (body as string).matchAll(MEMBER)) {
        payloads.members.set(`${name}.${member}`, mark === '');
      }
    }
    const [, imported = ''] = FROM_PROTO.exec(text) ?? [];
    for (const [message] of imported.matchAll(/\w+/g)) payloads.carried.add(message);
  }
  return payloads;
}

/** Incompatibilities for consumers of one version with records of the other: records of the earlier version stay in the log. */
export function eventFaults(earlier: Payloads, now: Payloads): string[] {
  const events = new Set([...earlier.members.keys()].map((key) => key.split('.')[0]));
  const isOld = (key: string) => events.has(key.split('.')[0]);
  const required = ({ members }: Payloads) => [...members].filter(([, isRequired]) => isRequired).map(([key]) => key);
  const added = required(now).filter((key) => isOld(key) && earlier.members.get(key) !== true);
  const gone = required(earlier).filter((key) => !now.members.has(key) && hasEvent(now, key));
  return [
    ...added.map((key) => `${key} is not in records of before: let it be optional`),
    ...gone.map((key) => `${key} is expected by consumers of before: let it be optional first`),
  ];
}

function hasEvent({ members }: Payloads, key: string): boolean {
  const [event] = key.split('.');
  return [...members.keys()].some((each) => each.startsWith(`${event}.`));
}

/** The same for messages of .proto files inside events, which are JSON there: a missing field has no default. */
export function carriedFaults(earlier: Contract, now: Contract, { carried }: Payloads): string[] {
  const messages = new Set([...earlier.fields.keys()].map(messageOf));
  const reached = reach(now, carried);
  const added = [...now.fields].filter(([key]) => !earlier.fields.has(key) && messages.has(messageOf(key)));
  const faults = added.filter(([key]) => reached.has(messageOf(key)) && !now.optional.has(key));
  return faults.map(([key, field]) => `${key} "${field}" is not in events of before: let it be optional`);
}
