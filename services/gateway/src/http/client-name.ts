const MAX_LENGTH = 30;

/** Name of the client program: the parameter `client`, or its User-Agent up to the `/`. */
export function clientNameOf(parameter: string | undefined, userAgent: string | undefined): string {
  const name = parameter ?? userAgent?.split('/', 1)[0] ?? '';
  const readable = name.replace(/\p{Cc}/gu, '').trim();
  return readable === '' ? 'Unspecified' : readable.slice(0, MAX_LENGTH);
}

const INTERACTIVE = ['website', 'ios', 'android', 'snipe'];
const INTERACTIVE_OF_A_BRAND = ['mobile', 'terminal', 'electron', 'desktop', 'android', 'ios'];

/** Whether the client is interactive: its user has seen what they sent. `brands` are those of API_BRANDS. */
export function isInteractiveClient(clientName: string, brands: readonly string[]): boolean {
  const name = clientName.toLowerCase();
  if (name.includes('desktop app') || INTERACTIVE.includes(name)) return true;
  return brands.some((brand) => name.startsWith(brand) && INTERACTIVE_OF_A_BRAND.includes(name.slice(brand.length)));
}
