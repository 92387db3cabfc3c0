import { ONBOARDING_STEPS } from '../values';

/** The hints that a user has not seen yet; in POST /register and in `onboarding_steps` events alike. */
export function publicOnboardingSteps(completed: readonly string[]) {
  const names = ONBOARDING_STEPS.filter((name) => !completed.includes(name));
  return names.map((name) => ({ type: 'one_time_notice' as const, name }));
}
