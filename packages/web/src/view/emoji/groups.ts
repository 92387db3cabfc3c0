export const GROUPS = [
  'smileys',
  'people',
  'nature',
  'food',
  'activities',
  'travel',
  'objects',
  'symbols',
  'flags',
] as const;
export type Group = (typeof GROUPS)[number];

/** Code points of each group; what is in none of them is a symbol. The first group that has it counts. */
const RANGES: readonly (readonly [Group, string])[] = [
  ['flags', '1f1e6-1f1ff 1f3c1 1f6a9 1f38c 1f3f3-1f3f4'],
  [
    'smileys',
    '1f600-1f644 1f648-1f64a 1f910-1f917 1f920-1f925 1f927-1f92f 1f970-1f976 1f978-1f97a 1f9d0 1fae0-1faea 2639-263a 1f479-1f47b 1f47d-1f480 1f4a9 1f48b-1f48c 1f493-1f49f 2763-2764 1f90d-1f90e 1f9e1 1f5a4 1fa75-1fa77 1f4a2-1f4a6 1f4a8 1f4ab-1f4ad 1f4af 1f5e8 1f5ef',
  ],
  [
    'people',
    '1f442-1f450 1f440-1f441 270a-270d 261d 1f590-1f596 1f90c 1f90f 1f918-1f91f 1faf0-1faf8 1f464-1f478 1f47c 1f481-1f483 1f485-1f487 1f48f 1f491 1f4aa 1f574-1f575 1f57a 1f590-1f596 1f5e3 1f645-1f64f 1f6a3 1f6b4-1f6b6 1f6c0 1f6cc 1f90c 1f90f 1f918-1f91f 1f926 1f930-1f93e 1f977 1f9b0-1f9bf 1f9cd-1f9cf 1f9d1-1f9e0 1fac0-1fac5 1faf0-1faf8 261d 26f7 26f9 270a-270d 1f385 1f3c2-1f3c4 1f3c7 1f3ca-1f3cc',
  ],
  [
    'nature',
    '1f300-1f32c 1f331-1f335 1f337-1f344 1f400-1f43f 1f490 1f525 1f54a 1f577-1f578 1f940 1f980-1f9ae 1fab0-1fabf 1facd-1facf 1fad8 2600-2604 2614 2618 26a1 26c4-26c8 2728 2744 2b50',
  ],
  ['food', '1f32d-1f330 1f336 1f345-1f37f 1f382 1f942-1f944 1f950-1f96f 1f9c0-1f9cb 1fad0-1fadf 2615'],
  [
    'activities',
    '1f380-1f393 1f396-1f3d3 1f3f8-1f3f9 1f579 1f93f 1f941 1f945-1f94f 1f9e7-1f9e9 1f9f8 1fa70 1fa80-1fa89 1f004 1f0cf 2660-2666 265f 26bd-26be 26f3 26f8 1f6f7 1f6f9 1f6fc',
  ],
  [
    'travel',
    '1f3d4-1f3f0 1f492 1f54b-1f54d 1f550-1f567 1f5fa-1f5ff 1f680-1f6a8 1f6b2 1f6d1-1f6fc 231a-231b 23f0-23f3 2668 2693 26e9-26ea 26f0-26f5 26fa 26fd 2708',
  ],
  [
    'objects',
    '1f451-1f463 1f484 1f488-1f48e 1f4a1 1f4a3 1f4b0-1f4ff 1f507-1f517 1f526-1f52e 1f56f-1f573 1f576 1f587-1f58d 1f5a5-1f5f3 1f6aa-1f6ac 1f6bd-1f6bf 1f6c1 1f6cb-1f6cf 1f97b-1f97f 1f9e2-1f9ff 1fa71-1faaf 2328 260e 2692-2699 26b0-26b1 26cf-26d3 2702 2709 270f-2712 1f3fa',
  ],
];

const parsed = RANGES.map(([group, ranges]) => ({
  group,
  ranges: ranges.split(' ').map((range) => {
    const [from = 0, to = from] = range.split('-').map((point) => Number.parseInt(point, 16));
    return { from, to };
  }),
}));

/** The place of a code within its group: those of the same range by their numbers. */
export function orderOf(code: string): number {
  const point = Number.parseInt(code, 16);
  const ranges = parsed.find(({ group }) => group === groupOf(code))?.ranges ?? [];
  return ranges.findIndex(({ from, to }) => from <= point && point <= to) * 0x200000 + point;
}

/** By the first sign: the server's vocabulary has no groups. */
export function groupOf(code: string): Group {
  const point = Number.parseInt(code, 16);
  const found = parsed.find(({ ranges }) => ranges.some(({ from, to }) => from <= point && point <= to));
  return found?.group ?? 'symbols';
}
