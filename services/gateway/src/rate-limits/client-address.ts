import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Proxies whose X-Forwarded-For is trusted: those in these networks, or a number of hops. */
export type TrustedProxies = readonly Network[] | number;

const MAX_HOPS = 10;

/** The setting TRUSTED_PROXIES: addresses and networks, separated by commas, or a number of proxies; empty: none. */
export const trustedProxies = z
  .string()
  .default('')
  .transform((text, { addIssue }): TrustedProxies => {
    const refuse = (message: string) => {
      addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const entries = text.split(',').flatMap((entry) => entry.trim() || []);
    if (entries.length === 1 && /^\d+$/.test(entries[0] as string)) {
      const hops = Number(entries[0]);
      return hops <= MAX_HOPS ? hops : refuse(`must be at most ${MAX_HOPS} proxies: "${hops}" is too many`);
    }
    const wrong = entries.find((entry) => networkOf(entry) === null);
    if (wrong === undefined) return entries.map((entry) => networkOf(entry) as Network);
    return refuse(`must be addresses and networks, or a number of proxies: "${wrong}" is none of these`);
  });

function networkOf(entry: string): Network | null {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = ipaddr.IPv4.isValidFourPartDecimal(entry) || entry.includes(':') ? parse(entry) : null;
  return address && [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * The client's address: the one seen by our outermost proxy. For IPv6 the /64 network, because a client has all 2⁶⁴ addresses
 * of one.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  proxies: TrustedProxies,
): string {
  let address = parse(socket.remoteAddress ?? '');
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  for (let hop = 0; address !== null && isTrusted(proxies, address, hop); hop += 1) {
    // Each proxy appends its peer's address; everything before that may be forged.
    const before = parse(forwarded.pop()?.trim() ?? '');
    if (before === null) break;
    address = before;
  }
  return address === null ? 'unknown' : nameOf(address);
}

/** Of an address with its zone. */
const MAX_LENGTH = 64;
/** Most requests come from addresses of which others have come. */
const known = new LRUCache<string, { address: Address | null }>({ max: 10_000 });

/** IPv4-mapped IPv6 addresses count as IPv4. */
function parse(text: string): Address | null {
  if (text.length > MAX_LENGTH) return null;
  let found = known.get(text);
  if (found === undefined) {
    found = { address: ipaddr.isValid(text) ? ipaddr.process(text) : null };
    known.set(text, found);
  }
  return found.address;
}

/** `hop`: the number of proxies passed. */
function isTrusted(proxies: TrustedProxies, address: Address, hop: number): boolean {
  if (typeof proxies === 'number') return hop < proxies;
  return proxies.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function nameOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
