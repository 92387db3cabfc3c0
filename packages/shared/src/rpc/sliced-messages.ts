import { Slices } from '../batch';
import type { Method } from './multiplexed-calls';

/** Shorter lists are encoded and decoded in one go. */
const PART_ITEMS = 100;
const PART_BYTES = 64 * 1024;

type Message = Record<string, unknown>;

/**
 * A response as bytes, with its long lists encoded in slices: protobuf allows concatenating the encoded parts of a message.
 * Throws ServiceUnavailableError after the deadline.
 */
export async function encodeInSlices(
  { responseSerialize }: Method,
  response: unknown,
  deadlineAt: number,
): Promise<Buffer> {
  const lists = Object.entries(response as Message).filter(isLongList);
  if (lists.length === 0) return responseSerialize(response);
  const slices = new Slices(deadlineAt);
  const rest = { ...(response as Message), ...Object.fromEntries(lists.map(([name]) => [name, []])) };
  const parts = [responseSerialize(rest)];
  for (const [name, items] of lists) {
    for (let at = 0; at < items.length; at += PART_ITEMS) {
      await slices.pause();
      parts.push(responseSerialize({ [name]: items.slice(at, at + PART_ITEMS) }));
    }
  }
  return Buffer.concat(parts);
}

function isLongList(entry: [string, unknown]): entry is [string, unknown[]] {
  return Array.isArray(entry[1]) && entry[1].length > PART_ITEMS;
}

/** Decodes a response; long ones in slices. Throws ServiceUnavailableError after the deadline. */
export async function decodeInSlices(
  { responseDeserialize }: Method,
  bytes: Buffer,
  deadlineAt: number,
): Promise<unknown> {
  if (bytes.length <= PART_BYTES) return responseDeserialize(bytes);
  const slices = new Slices(deadlineAt);
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
