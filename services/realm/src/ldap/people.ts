import { isEmailAddress } from '@parley/shared/values';
import type { Entry } from 'ldapts';
import { outsideName } from '../directory/outside-accounts';

/** The attributes of an entry that matter here. */
export interface PersonAttributes {
  /** The stable id: entryUUID, objectGUID, … */
  idAttribute: string;
  emailAttribute: string;
  nameAttribute: string;
}

/** A person in the directory. */
export interface DirectoryPerson {
  dn: string;
  /** As groups of POSIX name their members; empty: none. */
  uid: string;
  /** In lower case; binary ids as hexadecimal digits. */
  entryId: string;
  /** Empty: none. */
  email: string;
  /** As Parley can have it; empty without an address. */
  fullName: string;
}

/** Groups of POSIX name their members by it. */
const UID = 'uid';
/** Longer values are no address and no name of a person. */
const MAX_VALUE_LENGTH = 1_000;
const MAX_ID_BYTES = 100;

/** The attributes that searches for people request. */
export function attributesOf(attributes: PersonAttributes): string[] {
  return [attributes.idAttribute, attributes.emailAttribute, attributes.nameAttribute, UID];
}

/** The person of an entry; null for entries without the stable id. */
export function personOf(entry: Entry, attributes: PersonAttributes): DirectoryPerson | null {
  const entryId = idOf(firstOf(entry, attributes.idAttribute));
  if (entryId === null || !entry.dn.includes('=')) return null;
  const email = textOf(firstOf(entry, attributes.emailAttribute)).trim();
  const name = textOf(firstOf(entry, attributes.nameAttribute));
  const fullName = isEmailAddress(email) ? outsideName(name, email) : '';
  const uid = textOf(firstOf(entry, UID)).trim();
  return { dn: entry.dn, uid, entryId, email, fullName };
}

/** The first value. Servers answer with their own casing of an attribute's name. */
export function firstOf(entry: Entry, attribute: string): string | Buffer | null {
  const [first] = valuesOf(entry, attribute);
  return first ?? null;
}

export function valuesOf(entry: Entry, attribute: string): (string | Buffer)[] {
  const wanted = attribute.toLowerCase();
  const name = Object.keys(entry).find((each) => each.toLowerCase() === wanted);
  return name === undefined ? [] : [entry[name] ?? []].flat();
}

/** Some servers have ids of bytes, which may happen to be a text as well: 16 of them are always taken for bytes. */
function idOf(value: string | Buffer | null): string | null {
  if (value === null || value.length === 0) return null;
  const bytes = Buffer.isBuffer(value) ? value : Buffer.from(value, 'utf8');
  if (bytes.length > MAX_ID_BYTES) return null;
  return Buffer.isBuffer(value) || bytes.length === 16 ? bytes.toString('hex') : bytes.toString('utf8').toLowerCase();
}

function textOf(value: string | Buffer | null): string {
  return typeof value === 'string' && value.length <= MAX_VALUE_LENGTH && !value.includes('\0') ? value : '';
}

/** Whether an account has the name of its entry. Where names are unique, namesakes have a number. */
export function isNamed(fullName: string, wanted: string): boolean {
  return fullName === wanted || fullName.replace(/ \d{1,3}$/, '') === wanted;
}
