import { parseCsv } from './csv';

test.each([
  [
    'a,b\nc,d\n',
    [
      [1, 'a', 'b'],
      [2, 'c', 'd'],
    ],
  ],
  [
    '\uFEFFa, b \r\n\r\nc,\n',
    [
      [1, 'a', 'b'],
      [3, 'c', ''],
    ],
  ],
  [
    '"Berg, Bo","says ""hi"""\nx,y',
    [
      [1, 'Berg, Bo', 'says "hi"'],
      [2, 'x', 'y'],
    ],
  ],
  [
    '"two\nlines",b\nc,d',
    [
      [1, 'two\nlines', 'b'],
      [3, 'c', 'd'],
    ],
  ],
  ['a,', [[1, 'a', '']]],
  ['', []],
])('%j is read as rows with their lines', (text, expected) => {
  expect(parseCsv(text).map(({ line, cells }) => [line, ...cells])).toEqual(expected);
});

test('an unclosed quote is reported with its line', () => {
  expect(() => parseCsv('a,b\n"c,d\n')).toThrow('line 2: a quote that nothing ends');
  expect(() => parseCsv('"a"b,c\n')).toThrow('line 1');
});

test('a file as large as may be is read', () => {
  expect(parseCsv('ada@acme.org,Ada\n'.repeat(100_000))).toHaveLength(100_000);
  expect(parseCsv(`"${'a'.repeat(5_000_000)}",b`)).toHaveLength(1);
});
