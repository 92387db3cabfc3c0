import { ONBOARDING_STEPS } from '@parley/shared/values';
import { asCaller, makeBot } from '../../test/bots';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { publicEvents } from '../../test/public-events';
import { getRegisterState } from '../register/get-register-state';
import { completeOnboardingStep } from './onboarding-steps';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

test('a seen hint is not shown again, and the remaining ones are announced to the user', async () => {
  const [first, second, ...others] = ONBOARDING_STEPS;
  for (const name of [second, first, second]) await completeOnboardingStep(ctx, olivia, { name });
  expect((await getRegisterState(ctx, olivia)).personal?.completedOnboardingSteps.sort()).toEqual(
    [second, first].sort(),
  );
  const announced = (await publicEvents(ctx, olivia, 'onboarding_steps')).map(({ event }) => event['onboarding_steps']);
  const left = others.map((name) => ({ type: 'one_time_notice', name }));
  expect(announced).toEqual([[{ type: 'one_time_notice', name: first }, ...left], left]);
});

test('unknown hints are refused', async () => {
  await expect(completeOnboardingStep(ctx, olivia, { name: 'juggling' })).rejects.toThrow(
    'Unknown onboarding_step: juggling',
  );
});

test('bots are shown none', async () => {
  const bot = asCaller(olivia, await makeBot(ctx, olivia));
  await expect(completeOnboardingStep(ctx, bot, { name: ONBOARDING_STEPS[0] })).rejects.toThrow(
    'This endpoint does not accept bot requests.',
  );
});
