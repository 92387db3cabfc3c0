import type { PersonalState } from '@parley/shared/proto';
import { publicOnboardingSteps } from '@parley/shared/wire';
import { z } from 'zod';
import { bundle } from './bundle';

export const onboardingBundle = bundle({
  type: 'onboarding_steps',
  fields: {
    onboarding_steps: z
      .array(z.strictObject({ type: z.literal('one_time_notice'), name: z.string() }))
      .describe('Hints for new users that the caller has not seen yet.'),
    navigation_tour_video_url: z.null().describe('There is no such video.'),
  },
  present: ({ personal }) => ({
    onboarding_steps: publicOnboardingSteps((personal as PersonalState).completedOnboardingSteps),
    navigation_tour_video_url: null,
  }),
});
