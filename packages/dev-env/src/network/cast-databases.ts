import type { NewAccount } from '@parley/shared/proto';
import { copyDatabases, createFakeClock, type FakeClock } from '@parley/shared/testing';
import type { Person } from '../cast/eg';
import { SCHEMAS } from './replica';

export type Cast = Record<Person, NewAccount>;

/** Makes a network's databases with the cast in them, and stops the network. */
export type MakeCast = (prefix: string, clock: FakeClock | undefined) => Promise<Cast>;

interface Options {
  clock?: FakeClock;
  settings?: Readonly<Record<string, string>>;
  checkout?: () => string;
}

/** The cast is made with these. */
const SETTINGS_OF_CAST = ['BOT_KEY_SECRET', 'INVITATION_KEY_SECRET', 'EXTERNAL_HOST', 'DATABASE_URL'];

/**
 * Copies databases in which the cast was created, by a network of the same time: once per server, since it takes more than to
 * start a network. Returns undefined if there are none for such a network.
 */
export async function copyCast(prefix: string, options: Options, make: MakeCast): Promise<Cast | undefined> {
  const { clock, settings = {}, checkout } = options;
  const isOfTheTime = clock === undefined || clock.now() === createFakeClock().now();
  if (checkout || !isOfTheTime || SETTINGS_OF_CAST.some((name) => name in settings)) return undefined;
  const name = clock ? 'cast_of_fake_clock' : 'cast';
  const services = SCHEMAS.map(({ service }) => service);
  const note = await copyDatabases(prefix, {
    name,
    services,
    make: () => make(name, clock && createFakeClock()),
  });
  return note as Cast;
}
