import type { CreateUserRequest } from '@parley/shared/proto';
import type { Context } from '../src/context';
import { newOrganization, newUser, openContext, type Person, type TestContext } from './examples';

// Fixtures for a file of tests. They exist while a test runs, not while tests are declared.

/** An action's context, on one database for the whole file. */
export function contextOfTests(): TestContext {
  const ctx = {} as TestContext;
  beforeAll(async () => {
    Object.assign(ctx, await openContext());
  });
  afterAll(() => ctx.close());
  return ctx;
}

/** The owner of a new organization for each test. */
export function ownerOfEachTest(ctx: Context): Person {
  return renewed(() => newOrganization(ctx));
}

/** One more user of the organization; a member by default. */
export function memberOfEachTest(ctx: Context, owner: Person, wanted: Partial<CreateUserRequest> = {}): Person {
  return renewed(() => newUser(ctx, owner, wanted));
}

function renewed(make: () => Promise<Person>): Person {
  const person = {} as Person;
  beforeEach(async () => {
    Object.assign(person, await make());
  });
  return person;
}
