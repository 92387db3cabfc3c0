const LOCAL = 'localhost';

/** The subdomain of a Host header; "" is the root domain, and any host that is not below it. */
export function subdomainFinder(externalHost: string): (host: string | undefined) => string {
  const root = withoutPort(externalHost);
  const suffixes = [`.${root}`, `.${LOCAL}`];
  return (host) => {
    if (host === undefined) return '';
    const name = withoutPort(host);
    if (name === root) return '';
    const suffix = suffixes.find((end) => name.endsWith(end) && name.length > end.length);
    return suffix === undefined ? '' : name.slice(0, -suffix.length);
  };
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '').toLowerCase();
}
