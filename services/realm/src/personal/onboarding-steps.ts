import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { onboardingStepCompleted } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type { CompleteOnboardingStepRequest, CompleteOnboardingStepResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ONBOARDING_STEPS } from '@parley/shared/values';
import { getOwnUser } from '../accounts/get-own-user';
import { lockUser } from '../accounts/users.sql';
import { requirePerson } from '../base/guards';
import type { Context } from '../context';

/** Stores that the caller has seen a hint: their clients no longer show it. */
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
  const completedAt = new Date(ctx.clock.now());
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockUser(tx, realmId, userId);
    const data = { realmId, userId, name, completedAt };
    const { count } = await prisma.onboardingStep.createMany({ data, skipDuplicates: true });
    if (count === 0) return;
    const steps = await prisma.onboardingStep.findMany({ where: { realmId, userId }, orderBy: { name: 'asc' } });
    const completed = steps.map((step) => step.name);
    await announce(tx, onboardingStepCompleted(realmId, { userId, completed }));
  });
  return {};
}
