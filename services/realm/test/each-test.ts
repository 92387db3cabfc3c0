import type { CreateUserRequest } from '@parley/shared/proto';
import type { Context } from '../src/context';
import { newOrganization, newUser, openContext, type Person, type TestContext } from './examples';

// What a file of tests begins with. Each is there, and another one, by the time that a test runs: not while tests are only described.

/** What actions get, on one database for the whole file. */
export function contextOfTests(): TestContext {
  const ctx = {} as TestContext;
  beforeAll(async () => {
    Object.assign(ctx, await openContext());
  });
  afterAll(() => ctx.close());
  return ctx;
}

/** The owner of an organization that each test has for itself. */
export function ownerOfEachTest(ctx: Context): Person {
  return renewed(() => newOrganization(ctx));
}

/** One more account of it; a member unless told otherwise. */
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
