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

/** Whether it is a school of some kind: such ones begin with stricter settings. */
export function isEducation(orgType: number): boolean {
  return orgType === ORG_TYPES.educationNonprofit || orgType === ORG_TYPES.educationForProfit;
}

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
