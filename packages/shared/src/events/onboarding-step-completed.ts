import { publicOnboardingSteps } from '../wire';
import { declareEvent } from './declare-event';

export interface OnboardingStepCompleted {
  userId: number;
  /** All that the user has seen. */
  completed: string[];
}

/** A user has seen a hint for new users. Public event `onboarding_steps`, for that user. */
export const onboardingStepCompleted = declareEvent<OnboardingStepCompleted>()('onboarding-step.completed', [
  {
    type: 'onboarding_steps',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ completed }) => ({ type: 'onboarding_steps', onboarding_steps: publicOnboardingSteps(completed) }),
  },
]);
