/** The types of organizations. */
export const ORG_TYPES = {
  unspecified: 0,
  business: 10,
  openSource: 20,
  educationNonprofit: 30,
  educationForProfit: 35,
  research: 40,
  event: 50,
  nonprofit: 60,
  government: 70,
  politicalGroup: 80,
  community: 90,
  personal: 100,
  other: 1000,
} as const;

/** Whether it is a school: schools begin with stricter settings. */
export function isEducation(orgType: number): boolean {
  return orgType === ORG_TYPES.educationNonprofit || orgType === ORG_TYPES.educationForProfit;
}

const IP_ADDRESS = /^[\d.]+(?=:|$)/;
const LOOPBACK = /^(localhost|127\.[\d.]+)(:|$)/;

/**
 * An organization's origin, without a trailing slash, for links to it. Without TLS only for a machine that serves itself. There
 * are no subdomains of an IP address, but localhost has them on every machine.
 */
export function realmUrl(subdomain: string, externalHost: string): string {
  const scheme = LOOPBACK.test(externalHost) ? 'http' : 'https';
  if (subdomain === '') return `${scheme}://${externalHost}`;
  return `${scheme}://${subdomain}.${externalHost.replace(IP_ADDRESS, 'localhost')}`;
}
