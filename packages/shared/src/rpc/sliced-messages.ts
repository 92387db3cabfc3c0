import { joinInSlices, Slices } from '../batch';
import type { Method } from './multiplexed-calls';

/** Shorter lists are encoded and decoded in one go. */
const PART_ITEMS = 100;
const PART_BYTES = 64 * 1024;
/** Shorter bytes are copied in one go. */
const LONG_BYTES = 1024 * 1024;

type Message = Record<string, unknown>;

/**
 * A response as bytes, with its long lists and bytes encoded in slices: protobuf allows concatenating the encoded parts of a message.
 * Throws ServiceUnavailableError after the deadline.
 */
export function encodeInSlices(method: Method, response: unknown, deadlineAt: number): Buffer | Promise<Buffer> {
  const names = longFieldsOf(response as Message);
  if (names.length === 0) return method.responseSerialize(response);
  return encodeFields(method, response as Message, names, new Slices(deadlineAt));
}

function longFieldsOf(message: Message): string[] {
  const names: string[] = [];
  for (const name in message) if (isLong(message[name])) names.push(name);
  return names;
}

function isLong(value: unknown): boolean {
  return value instanceof Uint8Array ? value.length > LONG_BYTES : Array.isArray(value) && value.length > PART_ITEMS;
}

async function encodeFields(
  { responseSerialize }: Method,
  response: Message,
  names: readonly string[],
  slices: Slices,
): Promise<Buffer> {
  const parts = [responseSerialize({ ...response, ...Object.fromEntries(names.map((name) => [name, undefined])) })];
  for (const name of names) {
    const value = response[name] as unknown[] | Uint8Array;
    if (value instanceof Uint8Array) {
      parts.push(headOf(responseSerialize, name, value.length), value as Buffer);
      continue;
    }
    for (let at = 0; at < value.length; at += PART_ITEMS) {
      await slices.pause();
      parts.push(responseSerialize({ [name]: value.slice(at, at + PART_ITEMS) }));
    }
  }
  return joinInSlices(parts, slices);
}

/** What comes before the bytes of a field: its tag and their length. */
function headOf(serialize: Method['responseSerialize'], name: string, length: number): Buffer {
  const withOneByte = serialize({ [name]: Buffer.alloc(1) });
  return Buffer.concat([withOneByte.subarray(0, -2), varint(length)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** Decodes a response; a promise for long ones, which are decoded in slices. Throws ServiceUnavailableError after the deadline. */
export function decodeInSlices(method: Method, bytes: Buffer, deadlineAt: number): unknown {
  if (bytes.length <= PART_BYTES) return method.responseDeserialize(bytes);
  return decodeParts(method, bytes, new Slices(deadlineAt));
}

async function decodeParts({ responseDeserialize }: Method, bytes: Buffer, slices: Slices): Promise<unknown> {
  const absent = responseDeserialize(Buffer.alloc(0)) as Message;
  const whole = responseDeserialize(Buffer.alloc(0)) as Message;
  for (const part of partsOf(bytes)) {
    await slices.pause();
    merge(whole, responseDeserialize(part) as Message, absent);
  }
  return whole;
}

/** Fields in order, grouped into parts of limited size. */
function* partsOf(bytes: Buffer): Generator<Buffer> {
  let start = 0;
  let at = 0;
  while (at < bytes.length) {
    at = endOfField(bytes, at);
    if (at - start < PART_BYTES) continue;
    yield bytes.subarray(start, at);
    start = at;
  }
  if (start < at) yield bytes.subarray(start, at);
}

enum Wire {
  varint = 0,
  eightBytes = 1,
  counted = 2,
  fourBytes = 5,
}

function endOfField(bytes: Buffer, start: number): number {
  const [tag, at] = readVarint(bytes, start);
  switch (tag % 8) {
    case Wire.varint:
      return readVarint(bytes, at)[1];
    case Wire.eightBytes:
      return at + 8;
    case Wire.fourBytes:
      return at + 4;
    case Wire.counted: {
      const [length, content] = readVarint(bytes, at);
      return content + length;
    }
    default:
      throw new Error(`a field of an unknown kind, ${tag % 8}`);
  }
}

/** The number, and its end position. Inexact for numbers larger than tags and lengths. */
function readVarint(bytes: Buffer, start: number): [value: number, end: number] {
  let value = 0;
  for (let at = start, unit = 1; at < bytes.length; at += 1, unit *= 128) {
    const byte = bytes[at] as number;
    value += (byte % 128) * unit;
    if (byte < 128) return [value, at + 1];
  }
  throw new Error('a message that breaks off');
}

/** A field that is set in one part only has its default in the others. */
function merge(whole: Message, part: Message, absent: Message): void {
  for (const [name, value] of Object.entries(part)) {
    const former = whole[name];
    if (Array.isArray(value) && Array.isArray(former)) for (const item of value) former.push(item);
    else if (isMap(value) && isMap(former)) Object.assign(former, value);
    else if (value instanceof Uint8Array ? value.length > 0 : value !== absent[name]) whole[name] = value;
  }
}

function isMap(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}
