import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keyOf } from '@parley/client-model/rules';
import type { PublicEvent } from '../../src';
import { withoutSecrets } from '../documents/api-examples/recorder';
import { describeEvent, type PayloadSchema, widen } from './describe-payload';

const FILE = path.join(__dirname, '../../../../services/gateway/src/docs-page/event-payloads.json');

interface Payload {
  /** For readers of the API's reference: written by hand. */
  description: string;
  schema: PayloadSchema;
  example: object;
}

/** By `type`, or `type/op`: the payloads that the gateway publishes. */
export function publishedPayloads(): Record<string, Payload> {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Payload>;
}

/**
 * Expects the events to have the published payloads: no unknown member, every required one, and each of a known type. With
 * RECORD_EXAMPLES=1 the published schemas are extended by these events; run one file at a time then (`jest -i`).
 */
export function expectPublished(events: readonly PublicEvent[]): void {
  const published = publishedPayloads();
  const kinds = new Set(events.map(keyOf));
  const known = Object.fromEntries(Object.entries(published).filter(([kind]) => kinds.has(kind)));
  const shown = { ...known };
  for (const event of events) {
    const { [keyOf(event)]: former } = shown;
    const schema = describeEvent(event);
    shown[keyOf(event)] = former
      ? { ...former, schema: widen(former.schema, schema) }
      : { description: '', schema, example: withoutSecrets(event) as object };
  }
  if (process.env['RECORD_EXAMPLES']) {
    const sorted = Object.entries({ ...published, ...shown }).sort(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  } else {
    // Put right with RECORD_EXAMPLES=1, see the gateway's README.
    expect(shown).toEqual(known);
  }
}
