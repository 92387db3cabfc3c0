import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';

/**
 * Every `address:port` of a comma-separated list of `host:port`, sorted. Null if a name cannot be resolved now: the former
 * addresses stay valid.
 */
export async function resolveAddresses(list: string): Promise<string[] | null> {
  try {
    const found = await Promise.all(list.split(',').map(resolveOne));
    return [...new Set(found.flat())].sort();
  } catch {
    return null;
  }
}

async function resolveOne(entry: string): Promise<string[]> {
  const colon = entry.lastIndexOf(':');
  const host = entry.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = entry.slice(colon + 1);
  const addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
  return addresses.map((address) => (isIP(address) === 6 ? `[${address}]:${port}` : `${address}:${port}`));
}
