const MAX_BYTES = 1024 ** 2;
const MAX_EVENTS = 5_000;
const SEPARATOR = Buffer.from(',');

export const NO_EVENTS = Buffer.from('[]');

/** The events of one answer to a poll, joined from texts that other answers share. */
export class Answer {
  #parts: Uint8Array[] = [];
  #byteLength = 0;
  #count = 0;

  /** `shared` is an event's text without the closing brace; `personal` are the receiver's own members. */
  add(shared: Buffer, personal: Record<string, unknown>): void {
    const tail = Buffer.from(`,${JSON.stringify(personal).slice(1)}`);
    if (this.#count > 0) this.#parts.push(SEPARATOR);
    this.#parts.push(shared, tail);
    this.#byteLength += shared.length + tail.length;
    this.#count += 1;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** The rest comes with the next poll. */
  get isFull(): boolean {
    return this.#byteLength >= MAX_BYTES || this.#count >= MAX_EVENTS;
  }

  /** A JSON array. */
  toJson(): Buffer {
    return Buffer.concat([Buffer.from('['), ...this.#parts, Buffer.from(']')]);
  }
}
