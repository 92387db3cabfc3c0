import { Reader, Writer } from 'protobufjs';
import { useFastIntegers } from './integers';

const NUMBERS = [
  0,
  1,
  127,
  128,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  1_893_456_000_000,
  2 ** 49 - 1,
  2 ** 49,
  -1,
  -(2 ** 40),
];
NUMBERS.push(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER);

const written = () => NUMBERS.reduce((writer, value) => writer.int64(value), Writer.create()).finish();

function read(bytes: Uint8Array): number[] {
  const reader = Reader.create(bytes);
  return NUMBERS.map(() => Number(reader.int64()));
}

test('integers are the same bytes as without', () => {
  const bytes = written();
  const values = read(bytes);
  useFastIntegers();
  expect(written()).toEqual(bytes);
  expect(read(bytes)).toEqual(values);
  expect(values).toEqual(NUMBERS);
});

test('an integer that is cut off is an error', () => {
  useFastIntegers();
  expect(() => Reader.create(Uint8Array.of(0x80, 0x80)).int64()).toThrow(RangeError);
});
