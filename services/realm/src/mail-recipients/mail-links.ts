import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { MailKind } from '@parley/shared/values';

// Keys of links that end mails of one kind. Nothing about them is stored, and they do not end: old mails still work.

/** `address`: mails of all kinds begin anew. */
export type MailLinkKind = MailKind | 'address';

const LETTERS: Readonly<Record<MailLinkKind, string>> = {
  missed_messages: 'm',
  digest: 'd',
  sign_in: 's',
  marketing: 'a',
  address: 'b',
};
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as MailLinkKind]));
const KEY = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})-([a-z])-([\w-]{43})$/;

interface Named {
  realmId: number;
  userId: number;
  kind: MailLinkKind;
}

export interface ParsedMailLink extends Named {
  signature: Buffer;
}

/** Null: no key. */
export function parseMailLink(key: string): ParsedMailLink | null {
  const [, realm = '', user = '', letter = '', signed = ''] = KEY.exec(key) ?? [];
  const kind = KINDS.get(letter);
  if (kind === undefined) return null;
  const [realmId, userId] = [Number.parseInt(realm, 36), Number.parseInt(user, 36)];
  return { realmId, userId, kind, signature: Buffer.from(signed, 'base64url') };
}

/** The key of a link. `address` is the person's: a link to begin anew is for this address only. */
export function mailLinkKey(secret: string, named: Named, address: string): string {
  const { realmId, userId, kind } = named;
  const signed = signature(secret, named, address).toString('base64url');
  return [realmId.toString(36), userId.toString(36), LETTERS[kind], signed].join('-');
}

/** Whether a key was made here, for the person who has the address. */
export function isMailLinkOf(secret: string, parsed: ParsedMailLink, address: string): boolean {
  return timingSafeEqual(signature(secret, parsed, address), parsed.signature);
}

function signature(secret: string, { realmId, userId, kind }: Named, address: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'mail links', 32));
  const bound = kind === 'address' ? [address.toLowerCase()] : [];
  return createHmac('sha256', key)
    .update(JSON.stringify([realmId, userId, kind, ...bound]))
    .digest();
}
