import { Durations } from '@parley/shared/observability';
import type { Recipient } from './recipients';
import type { SmtpRefusal } from './smtp-refusal';

const durations = new Durations('parley_mail_in_seconds', 'Mails that came in, once for each recipient');

/**
 * Counts what came of a mail for a recipient since then. `outcome` is what deliverMail returns, or the refusal, which counts by its enhanced
 * status code: reasons in words are too many.
 */
export function noteMail(kind: Recipient['kind'] | 'none', outcome: string | SmtpRefusal, sinceMs: number): void {
  const [name = ''] = typeof outcome === 'string' ? outcome.split(':') : outcome.message.split(' ');
  durations.of({ kind, outcome: name }).since(sinceMs);
}
