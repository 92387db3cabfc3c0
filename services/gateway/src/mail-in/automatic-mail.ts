import type { ParsedMail } from './parse-program';

type Headers = ParsedMail['headers'];

/** Message ids of the mails that services send: `realm-3-17-1764240000000@host`. */
const OWN_ID = /^<?(?:realm|invites|scheduler)-\d+-\d+-\d+@([^<>@\s]+)>?$/;

/** Headers of programs that answer by themselves, whatever their value. */
const ANSWERING = ['x-autoreply', 'x-autorespond', 'x-autoresponder'];
/** Headers of programs that write by themselves. */
const WRITING = ['x-auto-response-suppress', 'list-id', 'list-unsubscribe'];

/**
 * Why a mail is dropped: no person has written it, and two programs could answer each other forever. Null: it is accepted. Replies are
 * written by people only; channels also get what programs and mailing lists write, but not what they answer.
 */
export function reasonToDrop(
  kind: 'reply' | 'channel',
  { headers, envelopeSender, ownHost }: { headers: Headers; envelopeSender: string; ownHost: string },
): string | null {
  // RFC 5321, 4.5.5: nothing is ever answered that has no sender.
  if (envelopeSender === '') return 'empty return path';
  if (isOwn(headers, ownHost)) return 'own mail';
  const submitted = firstWord(headers['auto-submitted']);
  const precedence = firstWord(headers['precedence']);
  if (submitted === 'auto-replied') return 'Auto-Submitted';
  if (/^(junk|auto_reply)$/.test(precedence)) return 'Precedence';
  const answering = ANSWERING.find((name) => headers[name] !== undefined);
  if (answering !== undefined || kind === 'channel') return answering ?? null;
  if (submitted !== '' && submitted !== 'no') return 'Auto-Submitted';
  if (/^(bulk|list)$/.test(precedence)) return 'Precedence';
  return WRITING.find((name) => headers[name] !== undefined) ?? null;
}

function isOwn(headers: Headers, ownHost: string): boolean {
  const [, host = ''] = OWN_ID.exec(headers['message-id'] ?? '') ?? [];
  return host.toLowerCase() === ownHost.toLowerCase();
}

function firstWord(value = ''): string {
  return (value.split(/[;\s]/, 1)[0] ?? '').toLowerCase();
}
