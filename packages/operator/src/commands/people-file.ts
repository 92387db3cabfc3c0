import { isEmailAddress, ROLE_VALUES, ROLES } from '@parley/shared/values';
import { parseCsv } from '../command/csv';

export const MAX_FILE_MIB = 20;
const MAX_ROWS = 100_000;
const COLUMNS: readonly string[] = ['email', 'name', 'role'];

/** A row of a file of people. */
export interface Person {
  line: number;
  email: string;
  name: string;
  role: number;
}

export interface RowError {
  line: number;
  error: string;
}

/** The people of a CSV file, and what is wrong with its other rows, by line. Throws when it is no such file at all. */
export function readPeople(csv: string): { people: Person[]; errors: RowError[] } {
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
