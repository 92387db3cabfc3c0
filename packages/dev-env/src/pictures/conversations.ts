/** Somebody of the pictures' organization; the first four are in every demo. */
export const PEOPLE = ['iris', 'dan', 'eve', 'faye', 'mateo', 'noor', 'sven', 'yuki'] as const;
export type Name = (typeof PEOPLE)[number];

export const FULL_NAMES: Readonly<Partial<Record<Name, string>>> = {
  mateo: 'Mateo Silva',
  noor: 'Noor Rahman',
  sven: 'Sven Lindqvist',
  yuki: 'Yuki Tanaka',
};

export const CHANNELS: Readonly<Record<string, string>> = {
  engineering: 'What we build, and how',
  design: 'How it looks and feels',
  announcements: 'What everybody should know',
  kitchen: 'Coffee, lunch and plants',
};

export interface Written {
  by: Name;
  channel: string;
  topic: string;
  content: string;
  /** Names of emoji, with who gave them. */
  reactions?: Readonly<Record<string, readonly Name[]>>;
  /** For a poll: the voters of each option, by its index. */
  votes?: readonly (readonly [Name, number])[];
}

const RELEASE = { channel: 'engineering', topic: 'release 2.4' } as const;

/** In the order in which it was written; `PICTURE` stands for a picture's address. */
export const WRITTEN: readonly Written[] = [
  {
    by: 'faye',
    channel: 'announcements',
    topic: 'summer party',
    content: 'It is on **12 June**, in the garden. Bring friends!',
  },
  {
    by: 'yuki',
    channel: 'design',
    topic: 'icons',
    content: 'The new set is in the repository. Comments until Thursday, please.',
  },
  {
    by: 'sven',
    channel: 'engineering',
    topic: '✔ flaky tests',
    content: 'Found it: two tests shared a port. Not any more.',
  },
  {
    by: 'noor',
    channel: 'engineering',
    topic: 'on-call in June',
    content: 'I can take the second week, if somebody takes my Friday.',
  },
  { by: 'mateo', channel: 'kitchen', topic: 'coffee', content: 'The machine is back, and it is *quiet*.' },
  { by: 'iris', ...RELEASE, content: '@**Dan Brooks** when do we ship the new export?' },
  { by: 'noor', ...RELEASE, content: 'Before and after, with a million rows:\n[export.png](PICTURE)' },
  {
    ...RELEASE,
    by: 'dan',
    content: '/poll When do we release?\nToday\nTomorrow morning\nOn Monday',
    votes: [
      ['iris', 1],
      ['noor', 1],
      ['mateo', 1],
      ['sven', 0],
      ['eve', 2],
    ],
  },
  {
    ...RELEASE,
    by: 'mateo',
    content:
      'Tomorrow is fine. This is all there was to it:\n```ts\nexport function pagesOf(rows: Row[], size = 500): Row[][] {\n  const sorted = rows.toSorted(byDate);\n  return chunk(sorted, size);\n}\n```',
    reactions: { tada: ['iris', 'noor', 'dan'], eyes: ['sven'] },
  },
  { by: 'eve', channel: 'kitchen', topic: 'lunch', content: '@**Dan Brooks** soup at noon?' },
  { by: 'sven', channel: 'design', topic: 'dark colors', content: 'The contrast of links is 7.1 now.' },
];

export const DIRECT: readonly { by: Name; to: readonly Name[]; content: string }[] = [
  { by: 'noor', to: ['dan'], content: 'Thank you for the review!' },
  { by: 'iris', to: ['dan', 'eve'], content: 'Can we talk about June?' },
];

export const STATUSES: Readonly<Partial<Record<Name, { status_text: string; emoji_name: string }>>> = {
  noor: { status_text: 'Working from home', emoji_name: 'house' },
  sven: { status_text: 'On vacation', emoji_name: 'palm_tree' },
};

/** A page of which a picture is taken, to be uploaded. */
export const CHART = `<body style="margin:0;font:14px sans-serif;background:#fff;color:#222"><svg width="400" height="96">
<text x="8" y="22" font-size="15" font-weight="bold">Export of 1,000,000 rows</text>
<text x="8" y="52">before</text><rect x="70" y="36" width="312" height="22" rx="4" fill="#b5442f"/><text x="342" y="52" fill="#fff">48 s</text>
<text x="8" y="82">after</text><rect x="70" y="66" width="39" height="22" rx="4" fill="#2a7f62"/><text x="117" y="82">6 s</text>
</svg></body>`;
