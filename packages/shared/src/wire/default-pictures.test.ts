import { DEFAULT_PICTURE_PREFIX, defaultPictureUrl, initialsOf, isInitials, PICTURE_COLORS } from './default-pictures';

const FAMILY = '👨‍👩‍👧‍👦';
const ZALGO = `a${'\u0301\u0323'.repeat(40)}`;

test.each<[string, string]>([
  ['Dan', 'D'],
  ['dan brown', 'DB'],
  ['Ana Maria de la Cruz', 'AC'],
  ['Anne-Marie Smith', 'AS'],
  ["Sinéad O'Connor", 'SO'],
  ['Élodie Ångström', 'ÉÅ'],
  ['E\u0301lodie', 'É'],
  ['Дмитрий Иванов', 'ДИ'],
  ['山田 太郎', '山太'],
  ['山田太郎', '山'],
  ['김철수', '김'],
  ['محمد علي', 'مع'],
  ['क्षमा गुप्ता', 'क्षगु'],
  ['ßuper', 'ß'],
  ['Dan (he/him)', 'D'],
  ['🎉 Party', 'P'],
  ['🎉', '🎉'],
  [FAMILY, FAMILY],
  ['-- !', '-'],
  ['7 of 9', '79'],
  ['  Dan\u00a0 Brown ', 'DB'],
  ['', '?'],
  ['   ', '?'],
  ['<b>', '<'],
  [`${ZALGO} b`, 'ẠB'],
  ['x'.repeat(100_000), 'X'],
])('the initials of %j are %j', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
  expect(isInitials(initialsOf(name))).toBe(true);
});

test.each(['', 'ABC', ZALGO, 'x'.repeat(100)])('%j are no initials', (text) => {
  expect(isInitials(text)).toBe(false);
});

test('half a character is replaced', () => {
  expect(initialsOf('\ud83c')).toBe('\ufffd');
});

test('the address follows from id, name and version, and from nothing else', () => {
  const name = 'Дмитрий Иванов';
  expect(defaultPictureUrl({ id: 37, name, version: 2 })).toBe(`${DEFAULT_PICTURE_PREFIX}5/%D0%94%D0%98.svg?version=2`);
  expect(defaultPictureUrl({ id: 38, name: '/', version: 1 })).toBe(`${DEFAULT_PICTURE_PREFIX}6/%2F.svg?version=1`);
});

// https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
function contrastToWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

test('white is readable on every color', () => {
  expect(new Set(PICTURE_COLORS).size).toBe(PICTURE_COLORS.length);
  for (const color of PICTURE_COLORS) expect(contrastToWhite(color)).toBeGreaterThanOrEqual(4.5);
});
