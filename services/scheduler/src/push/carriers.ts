import type { Note } from './compose-note';
import type { PushDevice } from './push-devices.sql';

/** What came of handing a notification to who carries it to the device. */
export type Carried =
  | { kind: 'sent' }
  /** The device is no longer known there: its registration is to be deleted. */
  | { kind: 'gone' }
  /** Later it may work. */
  | { kind: 'retry'; reason: string; afterMs: number }
  /** It never will, but others may. */
  | { kind: 'refused'; reason: string };

/** Hands a notification to who carries it to the device. Never throws because of them. */
export type Carrier = (device: PushDevice, note: Note, realmUrl: string) => Promise<Carried>;

/** Null: this server does not notify such devices. */
export type PushCarriers = Readonly<Record<PushDevice['kind'], Carrier | null>>;

const MOST_AFTER_MS = 3_600_000;

/** The time to wait that an answer demands, in seconds; 0: none that can be read. */
export function retryAfterMs(header: string | undefined): number {
  const secs = /^\d{1,9}$/.test(header ?? '') ? Number(header) : 0;
  return Math.min(secs * 1_000, MOST_AFTER_MS);
}
