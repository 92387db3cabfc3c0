import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isWithin, parseAddress } from './address-classes';

/** What may be asked although it is not of the public internet. */
export interface AllowList {
  allowsHost(host: string): boolean;
  allowsAddress(address: string): boolean;
}

const HOST = /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/;

/** Host names, IP addresses and networks (`10.1.0.0/16`), with commas in between. Throws for what is none of these. */
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

/** The setting OUTGOING_ALLOW of services that ask addresses which users name; empty: only the public internet. */
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
