import { success } from './answer';
import { byteLengthOf, chunksOf, JsonPieces } from './json-pieces';

const piece = (length: number, fill: string) => Buffer.alloc(length, fill);

test('small pieces are written together, large ones as they are, in their order', () => {
  const large = piece(100_000, 'L');
  const pieces = [piece(10, 'a'), piece(20, 'b'), large, ...Array.from({ length: 3 }, () => piece(7_000, 'c'))];
  const chunks = [...chunksOf(pieces)];
  expect(chunks.map(({ length }) => length)).toEqual([30, 100_000, 14_000, 7_000]);
  expect(chunks[1]).toBe(large);
  expect(Buffer.concat(chunks).equals(Buffer.concat(pieces))).toBe(true);
  expect(byteLengthOf(pieces)).toBe(121_030);
});

test('no pieces give no output', () => {
  expect([...chunksOf([])]).toEqual([]);
});

test('the pieces of one value are one JSON value', () => {
  expect(new JsonPieces(['[1,', '"ü', '"]'].map((text) => Buffer.from(text))).parse()).toEqual([1, 'ü']);
});

test('an answer counts bytes of its own as fresh, and none that it shares with others', () => {
  const [shared, own] = [JsonPieces.shared([piece(50, '1'), piece(60, '2')]), new JsonPieces([piece(7, '3')])];
  expect(success({ shared, own, rest: 1 }).body).toMatchObject({ freshBytes: 7 });
});
