import { topicFromInput } from '@parley/shared/values';

/** As mail programs of many languages mark answers and forwarded mails, also several times and with a count: `Re[2]: AW: Fwd:`. */
const MARK = /^\s*(re|fwd?|aw|wg|antw|sv|vs|tr|rv|r|i|odp|ynt)\s*(\[\d{1,3}\]|\(\d{1,3}\))?\s*[:：]\s*/i;
const MAX_MARKS = 20;
/** The topic of mails without a subject. */
export const NO_TOPIC = '(no topic)';

/** The topic of a mail to a channel. */
export function topicOfSubject(subject: string): string {
  let rest = subject
    .replace(/[\p{Cc}\p{Cs}\p{Cn}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 1_000);
  for (let marks = 0; marks < MAX_MARKS && MARK.test(rest); marks += 1) rest = rest.replace(MARK, '');
  return topicFromInput(rest) || NO_TOPIC;
}

/** Whether the mail was forwarded: what it quotes is what it is about. */
export function isForwarded(subject: string): boolean {
  return /^\s*(fwd?|wg|tr|rv)\s*:/i.test(subject);
}
