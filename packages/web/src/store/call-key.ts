import type { Parameters } from '../api/call';
import { newLocalId } from './outbox';

/** The key of a call that somebody may ask for twice: by a second click, or again after one without an answer. */
export class CallKey {
  #meaning: string | null = null;
  #key = '';

  /** The same for the same parameters, until the call is done. */
  of(parameters: Parameters): string {
    const meaning = JSON.stringify(parameters);
    if (meaning !== this.#meaning) {
      this.#meaning = meaning;
      this.#key = newLocalId();
    }
    return this.#key;
  }

  /** The same parameters are another call from now on. */
  end(): void {
    this.#meaning = null;
  }
}
