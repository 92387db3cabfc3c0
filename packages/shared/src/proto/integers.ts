import { Reader, Writer } from 'protobufjs';

const [readLong, writeLong] = [Reader.prototype.int64, Writer.prototype.int64];
/** 49 bits: an exact number. */
const MAX_FAST_BYTES = 7;
const MAX_UINT32 = 2 ** 32 - 1;

/** Nearly all numbers of our messages are small `int64`s, for each of which protobufjs makes an object with two halves. */
export function useFastIntegers(): void {
  Object.assign(Reader.prototype, { int64: readInteger });
  Object.assign(Writer.prototype, { int64: writeInteger });
}

function readInteger(this: Reader): number {
  const { buf, pos, len } = this;
  const end = Math.min(len, pos + MAX_FAST_BYTES);
  let [value, unit] = [0, 1];
  for (let at = pos; at < end; at += 1) {
    const byte = buf[at] as number;
    value += (byte & 127) * unit;
    if (byte < 128) {
      this.pos = at + 1;
      return value;
    }
    unit *= 128;
  }
  // Negative, very large or cut off.
  return readLong.call(this) as unknown as number;
}

function writeInteger(this: Writer, value: number): Writer {
  return value >= 0 && value <= MAX_UINT32 ? this.uint32(value) : writeLong.call(this, value);
}
