import { EmailInUseError, PublicError } from '@parley/shared/errors';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import { groupBy, isEmailAddress, ROLE_VALUES, ROLES } from '@parley/shared/values';
import { command, Unfinished } from '../command/command';
import { parseCsv } from '../command/csv';
import { readTextFile } from '../command/files';
import { operatedRealm } from '../command/operated';
import { decision, file, realm } from '../command/options';
import { createProgress } from '../command/terminal';

/** Bound for the report. */
const MAX_ERRORS_SHOWN = 1_000;

/** Skips existing accounts, so a second run creates those that the first one could not. */
export const userImport = command({
  services: ['realm'],
  summary:
    'makes accounts from a CSV file whose first line names its columns (email, name and, optionally, role); skips existing accounts',
  options: {
    realm,
    file: file('FILE.csv'),
    'dry-run': decision().optional(),
    welcome: decision().optional(),
    'mail-link': decision().optional(),
  },
  examples: ['--realm acme --file people.csv --dry-run yes', '--realm acme --file people.csv --welcome no'],
  async run(
    { realm: service },
    { file, 'dry-run': isDry = false, welcome = true, 'mail-link': isPasswordLinkMailed = false, ...named },
    { terminal },
  ) {
    const { people, errors } = readPeople(await readTextFile(file, MAX_FILE_MIB));
    const known = await knownAddresses(service, named);
    const missing = people.filter(({ email }) => !known.has(email.toLowerCase()));
    const rows = people.length + errors.length;
    const existing = people.length - missing.length;
    // An invalid file imports nothing.
    if (isDry || errors.length > 0)
      return finished({ is_dry_run: isDry, rows, existing, created: 0, to_create: missing.length }, errors);
    const order = { subdomain: named.realm, isWelcomed: welcome, isPasswordLinkMailed };
    const outcome = await createAll(service, order, missing, createProgress(terminal, missing.length));
    const created = outcome.created;
    const counts = { rows, existing: existing + outcome.existing, created };
    return finished({ is_dry_run: false, ...counts, to_create: outcome.errors.length }, outcome.errors);
  },
});

async function knownAddresses(service: RpcClient<'realm'>, named: { realm: string }): Promise<Set<string>> {
  const { actor } = await operatedRealm(service, named);
  const { users } = await service.listUsers(actor, { userIds: [], hasUserIds: false, includesProfiles: false });
  return new Set(
    users.flatMap(({ email, deliveryEmail }) => [email, deliveryEmail ?? '']).map((each) => each.toLowerCase()),
  );
}

interface Order {
  subdomain: string;
  isWelcomed: boolean;
  isPasswordLinkMailed: boolean;
}

/** People whose accounts are made in one call. */
const TOGETHER = 64;

async function createAll(
  service: RpcClient<'realm'>,
  order: Order,
  people: readonly Person[],
  progress: (done: number) => void,
) {
  const errors: RowError[] = [];
  let [created, existing, done] = [0, 0, 0];
  for (const some of alike(people)) {
    const made = await createTogether(service, order, some);
    created += made.size;
    for (const person of some.filter(({ email }) => !made.has(email))) {
      const outcome = await createAlone(service, order, person);
      if (outcome === null) created += 1;
      // Created meanwhile, or its address is hidden.
      else if (outcome instanceof EmailInUseError) existing += 1;
      else errors.push({ line: person.line, error: outcome.message });
    }
    done += some.length;
    progress(done);
  }
  return { created, existing, errors: errors.sort((a, b) => a.line - b.line) };
}

/** People of one role at a time. */
function* alike(people: readonly Person[]): Generator<Person[]> {
  for (const ofRole of groupBy(people, ({ role }) => role).values()) {
    for (let at = 0; at < ofRole.length; at += TOGETHER) yield ofRole.slice(at, at + TOGETHER);
  }
}

/** Returns the addresses of those who have an account now; the others are refused, or have to be made alone. */
async function createTogether(
  service: RpcClient<'realm'>,
  order: Order,
  people: readonly Person[],
): Promise<ReadonlySet<string>> {
  const asked = people.map(({ email, name }) => ({ email, fullName: name }));
  const role = people[0]?.role ?? ROLES.member;
  try {
    return new Set((await service.createUsers(newCall(), { ...order, role, people: asked })).emails);
  } catch (error) {
    if (error instanceof PublicError) return new Set();
    throw error;
  }
}

/** Returns why there is no account; null: there is one. */
async function createAlone(
  service: RpcClient<'realm'>,
  order: Order,
  { email, name, role }: Person,
): Promise<PublicError | null> {
  try {
    await service.createUser(newCall(), { ...order, email, fullName: name, role });
    return null;
  } catch (error) {
    if (error instanceof PublicError) return error;
    throw error;
  }
}

function finished(counts: Readonly<Record<string, number | boolean>>, errors: readonly RowError[]) {
  const result = { ...counts, errors: errors.slice(0, MAX_ERRORS_SHOWN).map((each) => ({ ...each })) };
  const [first] = errors;
  if (!first) return result;
  const rows = errors.length === 1 ? '1 row is' : `${errors.length} rows are`;
  throw new Unfinished(`${rows} wrong; line ${first.line}: ${first.error}`, result);
}

const MAX_FILE_MIB = 20;
const MAX_ROWS = 100_000;
const COLUMNS: readonly string[] = ['email', 'name', 'role'];

/** A row of the file. */
interface Person {
  line: number;
  email: string;
  name: string;
  role: number;
}

interface RowError {
  line: number;
  error: string;
}

/** The people of a CSV file, and the errors of its other rows, by line. Throws when the columns are wrong. */
function readPeople(csv: string): { people: Person[]; errors: RowError[] } {
  const [head, ...rows] = parseCsv(csv);
  const columns = head?.cells.map((cell) => cell.toLowerCase()) ?? [];
  if (!columns.includes('email') || !columns.includes('name') || !columns.every((name) => COLUMNS.includes(name)))
    throw new Error('the first line must name the columns: email,name or email,name,role');
  if (rows.length > MAX_ROWS) throw new Error(`too many rows (limit: ${MAX_ROWS})`);
  const errors: RowError[] = [];
  const people = new Map<string, Person>();
  for (const { line, cells } of rows) {
    const { email = '', name = '', role = '' } = Object.fromEntries(columns.map((column, at) => [column, cells[at]]));
    const person = { line, email, name, role: role === '' ? ROLES.member : Number(role) };
    const key = email.toLowerCase();
    const tooMany = cells.length > columns.length ? `${cells.length} cells for ${columns.length} columns` : null;
    const error = tooMany ?? faultOf(person, people.get(key));
    if (error === null) people.set(key, person);
    else errors.push({ line, error });
  }
  return { people: [...people.values()], errors };
}

function faultOf({ email, name, role }: Person, former: Person | undefined): string | null {
  if (!isEmailAddress(email)) return `"${email}" is no e-mail address`;
  if (name === '') return 'the name is missing';
  if (!(ROLE_VALUES as readonly number[]).includes(role)) return `the role must be one of ${ROLE_VALUES.join(', ')}`;
  return former ? `${email} is on line ${former.line} already` : null;
}
