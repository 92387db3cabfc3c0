import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import { type AllowList, isPublicAddress } from './allow-list';

/** The addresses of a host name; tests replace it. Rejects if there are none. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

const lookupAll = promisify(lookup);

export const systemResolve: Resolve = (host) => lookupAll(host, { all: true });

/** Throws if a URL's host is an IP address that users must not reach; IP addresses are not looked up. */
export function checkHost(url: URL, allow: AllowList): void {
  const address = hostOf(url);
  if (isIP(address) !== 0 && !mayReach(address, address, allow)) throw forbidden(address);
}

/**
 * Resolves host names for a connection: it connects to the very addresses that were checked, so changing a name between check
 * and use has no effect.
 */
export function checkedLookup(resolve: Resolve, allow: AllowList): LookupFunction {
  return (host, options, callback) => {
    findAddresses(host, resolve, allow).then(
      (addresses) => {
        const [first] = addresses as [LookupAddress];
        if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error as NodeJS.ErrnoException, '', 0),
    );
  };
}

async function findAddresses(host: string, resolve: Resolve, allow: AllowList): Promise<LookupAddress[]> {
  const found = await resolve(host).catch((error) => {
    throw new OutsideError('no-address', `${host} has no address`, { cause: error });
  });
  if (found.length === 0) throw new OutsideError('no-address', `${host} has no address`);
  // NAT64 may add an address to every name; the name's own addresses are still usable.
  const reachable = found.filter(({ address }) => mayReach(host, address, allow));
  if (reachable.length === 0) throw forbidden(host);
  return reachable;
}

function mayReach(host: string, address: string, allow: AllowList): boolean {
  return isPublicAddress(address) || allow.allowsAddress(address) || allow.allowsHost(host);
}

/** Without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function forbidden(host: string): OutsideError {
  return new OutsideError('forbidden-address', `${host} is not of the public internet`);
}

export type OutsideFailure =
  /** Not an http or https address, or one with credentials. */
  | 'bad-url'
  /** Its address is not allowed. */
  | 'forbidden-address'
  | 'no-address'
  | 'no-connection'
  | 'timeout'
  | 'too-large'
  | 'too-many-redirects';

/** The reason for a missing answer. The message is for logs, not for users: it may contain internal addresses. */
export class OutsideError extends Error {
  constructor(
    readonly reason: OutsideFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
