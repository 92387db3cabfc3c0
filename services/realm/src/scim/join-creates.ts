import { batched } from '@parley/shared/batch';
import type { CreateScimResourceRequest, ScimResource } from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import type { Context } from '../context';
import { MAX_TOGETHER, togetherOrAlone } from '../directory/together-or-alone';
import { documentFromInput, keptAttributes } from './attributes';
import { createUsers } from './create-users';
import { ALL, actOf, createAlone, toMessage } from './resources';
import { requireProvider } from './tokens';
import { userFromDocument } from './user-document';

interface Asked {
  call: Call;
  request: CreateScimResourceRequest;
}

type Create = (asked: Asked) => Promise<ScimResource>;

/**
 * Users that a provider asks for while others are being made share a transaction; a single one is not delayed. A user that cannot be made like
 * the others is made, or refused, in a transaction of its own.
 */
export function joinCreates(ctx: Context): Create {
  const providers = new Map<string, { create: Create; waiting: number }>();
  return async (asked) => {
    const { kind, access } = asked.request;
    if (kind !== 'User') return createAlone(ctx, asked);
    // By token: requests with a wrong one do not make others wait.
    const key = `${access?.subdomain} ${Buffer.from(access?.tokenHash ?? []).toString('hex')}`;
    const provider = providers.get(key) ?? { create: batchesOf(ctx), waiting: 0 };
    providers.set(key, provider);
    provider.waiting += 1;
    try {
      return await provider.create(asked);
    } finally {
      provider.waiting -= 1;
      if (provider.waiting === 0) providers.delete(key);
    }
  };
}

function batchesOf(ctx: Context): Create {
  return batched(
    (all: Asked[]) =>
      togetherOrAlone(
        all,
        (some) => createTogether(ctx, some),
        (asked) => createAlone(ctx, asked),
      ),
    { maxItems: MAX_TOGETHER, maxInFlight: 1 },
  );
}

/** Null: to be made alone. */
async function createTogether(ctx: Context, all: readonly Asked[]): Promise<(ScimResource | null)[]> {
  const wanted = all.map(({ request }) => wantedOf(request));
  return ctx.db.transaction(async (tx) => {
    const provider = await requireProvider(tx, ctx, (all[0] as Asked).request.access);
    const acts = all.map(({ call }) => actOf(provider, call, 'create', 'User'));
    const asked = acts.flatMap((act, index) => {
      const user = wanted[index] ?? null;
      return user === null ? [] : [{ wanted: user, act }];
    });
    const made = await createUsers(ctx, tx, provider.realmId, asked);
    return acts.map((act) => {
      const resource = made.get(act);
      return resource === undefined ? null : toMessage(resource, ALL);
    });
  });
}

/** Null: the document is refused. */
function wantedOf({ document }: CreateScimResourceRequest) {
  try {
    return userFromDocument(keptAttributes('User', documentFromInput(document)));
  } catch {
    return null;
  }
}
