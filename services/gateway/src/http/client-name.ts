import { truncate } from '@parley/shared/values';

const MAX_LENGTH = 30;

/** Name of the client program: the parameter `client`, or its User-Agent up to the `/`. */
export function clientNameOf(parameter: string | undefined, userAgent: string | undefined): string {
  const name = parameter ?? userAgent?.split('/', 1)[0] ?? '';
  const readable = name.replace(/\p{Cc}/gu, '').trim();
  return readable === '' ? 'Unspecified' : truncate(readable, MAX_LENGTH, '');
}

const INTERACTIVE = ['website', 'ios', 'android', 'snipe'];
const INTERACTIVE_OF_A_BRAND = ['mobile', 'terminal', 'electron', 'desktop', 'android', 'ios'];

/** Whether the client is interactive: its user has seen what they sent. `brands` are those of API_BRANDS. */
export function isInteractiveClient(clientName: string, brands: readonly string[]): boolean {
  const name = clientName.toLowerCase();
  if (name.includes('desktop app') || INTERACTIVE.includes(name)) return true;
  return brands.some((brand) => name.startsWith(brand) && INTERACTIVE_OF_A_BRAND.includes(name.slice(brand.length)));
}

/** As browsers are told apart: each pretends to be those before it, too. */
const BROWSERS: readonly [name: string, token: RegExp][] = [
  ['Edge', /\bEdg/],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: readonly [name: string, token: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** A browser as its user knows it, to label its session: `Firefox on Linux`. */
export function browserName(userAgent = ''): string {
  const [browser, system] = [BROWSERS, SYSTEMS].map((list) => list.find(([, token]) => token.test(userAgent))?.[0]);
  return [browser ?? 'Browser', system].filter(Boolean).join(' on ');
}
