import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, text } from '../../http/parameters';

const MAX_NAME_LENGTH = 100;

export const completeOnboardingStep = endpoint({
  method: 'POST',
  path: '/users/me/onboarding_steps',
  summary: 'Say that the caller has seen a hint for new users',
  auth: 'user',
  parameters: { onboarding_step: text(boundedText(MAX_NAME_LENGTH)) },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { onboarding_step: name }) {
    await services.realm.completeOnboardingStep(call, { name });
    return {};
  },
});
