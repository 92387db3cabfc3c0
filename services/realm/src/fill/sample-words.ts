/** What people, channels and groups of a filled organization are called. */

const words = (text: string) => text.split(' ');

export const FIRST_NAMES = words(
  'Ada Amir Ana Aylin Bea Ben Carla Chen Dalia Dan Elif Emil Eva Farid Fatima Finn Gita Hana Hugo Ines Ivan Jana Jon Kai ' +
    'Kemal Lena Liam Lucia Malik Maria Mateo Mei Mina Nadia Nils Noor Olga Omar Paula Pavel Priya Rafael Rosa Ruth Samir ' +
    'Sofia Tariq Tomas Uma Vera Viktor Wanda Wei Xenia Yara Yusuf Zeno Zoe',
);

export const LAST_NAMES = words(
  'Abbas Adler Almeida Arslan Bauer Becker Berg Bianchi Bruno Castro Chandra Costa Demir Dubois Eriksen Esposito Fischer ' +
    'Fontaine Garcia Gomez Haddad Hansen Hoffmann Ibrahim Ito Jensen Kaya Keller Khan Kim Kowalski Larsen Lehmann Lopez ' +
    'Marino Martin Meyer Moreau Nakamura Nguyen Novak Okafor Olsen Ozturk Park Patel Petrov Popov Ramos Ricci Rossi Sato ' +
    'Schmidt Silva Singh Sokolov Suzuki Tanaka Torres Vargas Weber Yilmaz Zhang',
);

export const TIMEZONES = words(
  'Europe/Berlin Europe/Istanbul Europe/Lisbon America/New_York America/Sao_Paulo Asia/Kolkata Asia/Tokyo Africa/Lagos',
);

export const PRONOUNS = ['she/her', 'he/him', 'they/them'];

export const TEAMS = words(
  'design engineering support sales finance people legal research marketing operations security data mobile web platform ' +
    'docs quality infrastructure partners events',
);

export const CHANNEL_PURPOSES = words(
  'team help announcements reviews planning incidents releases random feedback hiring metrics budget travel social ideas ' +
    'standup retro on-call vendors experiments onboarding training news archive tools',
);

export const BOT_NAMES = words('Build Deploy Calendar Survey Alert Ticket Weather Standup Review Backup');
