/** What an organization says it is. */
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
