import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { onboardingStepCompleted } from '@parley/shared/events';
import type { CompleteOnboardingStepRequest, CompleteOnboardingStepResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ONBOARDING_STEPS } from '@parley/shared/values';
import { getOwnUser } from '../accounts/get-own-user';
import { lockUser } from '../accounts/users.sql';
import { requirePerson } from '../base/guards';
import type { Context } from '../context';
import { insertCompletedStep, listCompletedSteps } from './onboarding-steps.sql';

/** The caller has seen a hint: none of their clients shows it again. */
export async function completeOnboardingStep(
  ctx: Context,
  caller: Caller,
  { name }: CompleteOnboardingStepRequest,
): Promise<CompleteOnboardingStepResponse> {
  requirePerson(await getOwnUser(ctx, caller));
  if (!(ONBOARDING_STEPS as readonly string[]).includes(name)) {
    throw new BadRequestError(`Unknown onboarding_step: ${name}`);
  }
  const { realmId, userId } = caller;
  await ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    if (!(await insertCompletedStep(tx, caller, name, ctx.clock.now()))) return;
    const completed = await listCompletedSteps(tx, realmId, userId);
    await announce(tx, onboardingStepCompleted(realmId, { userId, completed }));
  });
  return {};
}
