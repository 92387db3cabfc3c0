import { ownText } from './own-text';

/** Mails as programs write them, and what a person has written in them. */
const MAILS: readonly [name: string, own: string, mail: string][] = [
  [
    'Gmail, English',
    'Sounds good!\n\nSee you there.',
    `Sounds good!

See you there.

On Mon, Nov 3, 2025 at 10:00 AM Ada Lovelace (Parley) <
reply.rabc@chat.example> wrote:

> #plans > Lunch
>
> Ada: Soup, anyone?
> --
> You get this mail because…
>
`,
  ],
  [
    'Gmail, German',
    'Passt!',
    `Passt!

Am Mo., 3. Nov. 2025 um 10:00 Uhr schrieb Ada Lovelace <
ada@example.org>:

> Suppe?
>
`,
  ],
  [
    'Gmail, older German',
    'Ja gern.',
    'Ja gern.\n\n2025-11-03 10:00 GMT+01:00 Ada Lovelace <ada@example.org>:\n\n> Suppe?\n',
  ],
  [
    'Apple Mail, English',
    'Yes, at noon.',
    'Yes, at noon.\n\n> On 3 Nov 2025, at 10:00, Ada <ada@example.org> wrote:\n> \n> Soup?\n',
  ],
  [
    'Apple Mail, German',
    'Ja, um zwölf.',
    'Ja, um zwölf.\n\n> Am 03.11.2025 um 10:00 schrieb Ada <ada@example.org>:\n> \n> Suppe?\n',
  ],
  [
    'iPhone, English',
    'On my way',
    'On my way\n\nSent from my iPhone\n\n> On Nov 3, 2025, at 10:00 AM, Ada <ada@example.org> wrote:\n> \n> ﻿Soup?\n',
  ],
  [
    'iPhone, German',
    'Bin unterwegs',
    'Bin unterwegs\n\nVon meinem iPhone gesendet\n\n> Am 03.11.2025 um 10:00 schrieb Ada <ada@example.org>:\n> \n> Suppe?\n',
  ],
  [
    'Thunderbird, English, answered below',
    'I like soup.',
    'On 11/3/25 10:00, Ada Lovelace wrote:\n> Soup, anyone?\n> Or salad?\n\nI like soup.\n\n-- \nBo Example\nEngineer\n',
  ],
  [
    'Thunderbird, German, answered below',
    'Suppe.',
    'Am 03.11.25 um 10:00 schrieb Ada Lovelace:\n> Suppe oder Salat?\nSuppe.\n',
  ],
  [
    'Outlook, English',
    'Works for me.\n\nBo',
    `Works for me.

Bo

From: Ada Lovelace <ada@example.org>
Sent: Monday, November 3, 2025 10:00 AM
To: Bo Example <bo@example.org>
Subject: #plans > Lunch

Soup, anyone?
`,
  ],
  [
    'Outlook, German',
    'Passt für mich.',
    `Passt für mich.

Von: Ada Lovelace <ada@example.org>
Gesendet: Montag, 3. November 2025 10:00
An: Bo Example <bo@example.org>
Betreff: #plans > Lunch

Suppe?
`,
  ],
  [
    'Outlook on phones, English',
    'Sure',
    `Sure

Get Outlook for iOS<https://aka.ms/o0ukef>
________________________________
From: Ada <ada@example.org>
Sent: Monday, November 3, 2025 10:00:00 AM
To: Bo <bo@example.org>
Subject: Lunch

Soup?`,
  ],
  [
    'Outlook on phones, German',
    'Klar',
    `Klar

Holen Sie sich Outlook für iOS<https://aka.ms/o0ukef>
________________________________
Von: Ada <ada@example.org>
Gesendet: Montag, 3. November 2025 10:00:00
An: Bo <bo@example.org>
Betreff: Mittag

Suppe?`,
  ],
  ['old Outlook, English', 'Fine.', 'Fine.\n\n-----Original Message-----\nFrom: Ada\nSoup?'],
  ['old Outlook, German', 'Gut.', 'Gut.\n\n-----Ursprüngliche Nachricht-----\nVon: Ada\nSuppe?'],
  [
    'Outlook from HTML',
    'Works **well**.',
    'Works **well**.\n\n* * *\n\n**From:** Ada <ada@example.org>\n**Sent:** Monday\n**To:** Bo\n**Subject:** Lunch\n\nSoup?',
  ],
  [
    'Outlook on the web, without marks',
    'Yes.',
    'Yes.\n\nOn Mon, Nov 3, 2025 at 10:00 AM Ada <ada@example.org> wrote:\n\nSoup?\n\nOr salad?',
  ],
  [
    'answers between quoted lines',
    '> Soup?\n\nYes.\n\n> At noon?\n\nAt one.',
    'On 11/3/25 10:00, Ada wrote:\n> Soup?\n\nYes.\n\n> At noon?\n\nAt one.\n\n> Ada\n',
  ],
  ['no quote', 'On Monday I wrote:\nnothing.', 'On Monday I wrote:\nnothing.'],
  ['a quote of their own', '> a proverb\n\nSo it is.', '> a proverb\n\nSo it is.'],
  ['nothing but a quote', '', 'On Mon, Ada wrote:\n> Soup?\n'],
  ['nothing but a signature', '', '\n--\nBo\n'],
  ['a line of two hyphens far from the end', `a\n--\n${'b\n'.repeat(30)}`.trimEnd(), `a\n--\n${'b\n'.repeat(30)}`],
];

test.each(MAILS.filter(([name]) => name !== 'no quote'))('of a mail by %s the own text is left', (_name, own, mail) => {
  expect(ownText(mail)).toBe(own);
  expect(ownText(mail.replaceAll('\n', '\r\n'))).toBe(own);
});

test('quotes and signatures are kept where an address says so', () => {
  const mail = 'Yes.\n\nOn Mon, Nov 3, 2025 at 10:00 AM Ada wrote:\n> Soup?\n\n-- \nBo\n';
  expect(ownText(mail, { quotes: true })).toBe('Yes.\n\nOn Mon, Nov 3, 2025 at 10:00 AM Ada wrote:\n> Soup?');
  expect(ownText('Yes.\n-- \nBo', { footer: true })).toBe('Yes.\n--\nBo');
});

test.each([
  ['lines that nearly introduce a quote', 'On and on and on '.repeat(12_000)],
  ['many short lines of that kind', 'On x\n'.repeat(40_000)],
  ['headers', 'From: x\n'.repeat(25_000)],
  ['stars', '*'.repeat(200_000)],
  ['rules', '_'.repeat(200_000)],
  ['blank lines', '\n'.repeat(200_000)],
  ['quotes', '> '.repeat(100_000)],
  ['quoted lines between others', '> a\nb\n'.repeat(33_000)],
  ['a last line of blanks', `Sent from my ${' '.repeat(190_000)}`],
])('a long mail of %s takes less than 50 ms of processor time', (_name, mail) => {
  ownText(mail);
  const before = process.cpuUsage();
  ownText(mail);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(50);
});
