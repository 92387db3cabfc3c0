import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** Addresses outside the public internet to which requests are allowed. */
export interface AllowList {
  allowsHost(host: string): boolean;
  allowsAddress(address: string): boolean;
}

const HOST = /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/** Host names, IP addresses and networks (`10.1.0.0/16`), separated by commas. Throws for anything else. */
export function parseAllowList(text: string): AllowList {
  const entries = text
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
  const networks = entries.flatMap((entry) => networkOf(entry) ?? []);
  const hosts = new Set(entries.filter((entry) => networkOf(entry) === null));
  for (const host of hosts) {
    if (!HOST.test(host) || /^[\d.]+$/.test(host)) throw new Error(`"${host}" is no host, address or network`);
  }
  return {
    allowsHost: (host) => hosts.has(host.toLowerCase()),
    allowsAddress(address) {
      const parsed = parseAddress(address);
      return parsed !== null && networks.some((network) => isWithin(parsed, network));
    },
  };
}

/** The setting OUTGOING_ALLOW of services that send requests to addresses given by users; empty: only the public internet. */
export const outgoingAllow = z
  .string()
  .default('')
  .transform((text, { addIssue }) => {
    try {
      return parseAllowList(text);
    } catch (error) {
      addIssue({ code: 'custom', message: (error as Error).message });
      return z.NEVER;
    }
  });

function networkOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number][] | null {
  if (ipaddr.isValidCIDR(entry)) return [ipaddr.parseCIDR(entry)];
  const address = ipaddr.IPv4.isValidFourPartDecimal(entry) || entry.includes(':') ? parseAddress(entry) : null;
  return address && [[address, address.kind() === 'ipv4' ? 32 : 128]];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/**
 * Networks that the library counts as unicast but that are not public: cloud metadata services, translators to IPv4, and ranges
 * for tests and documentation.
 */
const INSIDE: readonly Network[] = [
  '168.63.129.16/32',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
].map((text) => ipaddr.parseCIDR(text));

/** The assigned global unicast range of IPv6; all others are special. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Whether an IP address, in any notation, belongs to the public internet; false for other texts. */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === null || address.range() !== 'unicast') return false;
  if (address.kind() === 'ipv6' && !isWithin(address, GLOBAL_IPV6)) return false;
  return !INSIDE.some((network) => isWithin(address, network));
}

/** An IP address; null for any other text. */
function parseAddress(text: string): Address | null {
  return ipaddr.isValid(text) ? ipaddr.parse(text) : null;
}

export function isWithin(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}
