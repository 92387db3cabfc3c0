import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = [Address, number];

/** The setting TRUSTED_PROXIES: addresses and networks, with commas in between. */
export const trustedProxies = z
  .string()
  .default('')
  .transform((text, { addIssue }): Network[] => {
    const entries = text.split(',').flatMap((entry) => entry.trim() || []);
    const wrong = entries.find((entry) => networkOf(entry) === null);
    if (wrong === undefined) return entries.map((entry) => networkOf(entry) as Network);
    addIssue({ code: 'custom', message: `must be addresses and networks: "${wrong}" is neither` });
    return z.NEVER;
  });

function networkOf(entry: string): Network | null {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = ipaddr.IPv4.isValidFourPartDecimal(entry) || entry.includes(':') ? parse(entry) : null;
  return address && [address, address.kind() === 'ipv4' ? 32 : 128];
}

/**
 * Who asks, as far as addresses tell: what the nearest proxy of ours says, and nobody behind it. Of IPv6 it is the network, of which
 * everybody has 2⁶⁴ addresses.
 */
export function clientAddress(
  { socket, headers }: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } },
  proxies: readonly Network[],
): string {
  let address = parse(socket.remoteAddress ?? '');
  const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  while (address !== null && isOneOf(proxies, address)) {
    // Each proxy has added who asked it at the end; what stands before that anybody may have written.
    const before = parse(hops.pop()?.trim() ?? '');
    if (before === null) break;
    address = before;
  }
  return address === null ? 'unknown' : nameOf(address);
}

/** IPv4 in the clothes of IPv6 is IPv4. */
function parse(text: string): Address | null {
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

function isOneOf(networks: readonly Network[], address: Address): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

function nameOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
