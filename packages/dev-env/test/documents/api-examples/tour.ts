import type { TestNetwork } from '../../../src';
import type { Recorder } from './recorder';

/** The tools of each part of the tour through all operations. */
export interface Tour {
  network: TestNetwork;
  recorder: Recorder;
  /** Of the channel `general`. */
  generalId: number;
  /** Milliseconds since 1970. */
  now: number;
  /** The key in the mail to an address, once it has come. */
  mailedKey(address: string): Promise<string>;
}
