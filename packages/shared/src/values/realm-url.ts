const IP_ADDRESS = /^[\d.]+(?=:|$)/;
const LOOPBACK = /^(localhost|127\.[\d.]+)(:|$)/;

/**
 * An organization's origin, without a slash at its end; used where links to it are made. Only a machine that serves itself is
 * reached without TLS; no name is below an IP address, but every machine knows the names below localhost.
 */
export function realmUrl(subdomain: string, externalHost: string): string {
  const scheme = LOOPBACK.test(externalHost) ? 'http' : 'https';
  if (subdomain === '') return `${scheme}://${externalHost}`;
  return `${scheme}://${subdomain}.${externalHost.replace(IP_ADDRESS, 'localhost')}`;
}
