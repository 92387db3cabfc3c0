const SEGMENT_BYTES = 256 * 1024;

/** The bytes of a mail as it arrives, in segments of their own: a server may send it in parts of a few bytes. */
export class MailBytes {
  readonly segments: Uint8Array[] = [];
  size = 0;
  #end = SEGMENT_BYTES;

  append(chunk: Uint8Array): void {
    this.size += chunk.length;
    for (let at = 0; at < chunk.length; ) {
      if (this.#end === SEGMENT_BYTES) {
        this.segments.push(new Uint8Array(SEGMENT_BYTES));
        this.#end = 0;
      }
      const part = chunk.subarray(at, at + SEGMENT_BYTES - this.#end);
      (this.segments.at(-1) as Uint8Array).set(part, this.#end);
      this.#end += part.length;
      at += part.length;
    }
  }

  /** The bytes, which can be handed to another thread; there are none here afterwards. */
  take(): Uint8Array[] {
    const segments = this.segments.splice(0);
    const last = segments.pop();
    return last === undefined ? [] : [...segments, last.subarray(0, this.#end)];
  }

  clear(): void {
    this.segments.length = 0;
  }
}
