import { type OutsideAnswer, OutsideError } from '@parley/shared/outside-http';
import type { Reply } from './delivery';
import { DISALLOWED_ADDRESS, exceptionOccurred, gotStatus, NO_CONNECTION, payloadOf, timedOut } from './owner-notice';
import { readAnswer } from './read-answer';

/** What came of one call of a bot. */
export type Outcome = { kind: 'nothing' } | { kind: 'reply'; reply: Reply } | Failure;

export interface Failure {
  kind: 'failure';
  /** What the bot says where it was called. */
  said: string;
  /** What its owner is told; null: nothing. */
  toOwner: string | null;
  /** For the operator. */
  reason: string;
  /** It may be otherwise the next time. */
  isPassing: boolean;
}

/** Like the answer of a proxy that does not let such requests through. */
const DISALLOWED: Failure = {
  kind: 'failure',
  said: 'Third party responded with 407',
  toOwner: DISALLOWED_ADDRESS,
  reason: 'the address is not allowed',
  isPassing: false,
};

export function outcomeOfAnswer({ status, body }: Pick<OutsideAnswer, 'status' | 'body'>, format: number): Outcome {
  const text = body.toString('utf8').replace(/^\ufeff/, '');
  if (status < 200 || status > 299) return refused(status, text);
  const answer = readAnswer(text, format);
  if (answer.kind !== 'unreadable') return answer;
  const toOwner = `${answer.why}${payloadOf(text)}`;
  return { kind: 'failure', said: answer.why, toOwner, reason: answer.why, isPassing: false };
}

function refused(status: number, text: string): Failure {
  const said = `Third party responded with ${status}`;
  const toOwner = `${gotStatus(status)}${payloadOf(text)}`;
  return { kind: 'failure', said, toOwner, reason: `status ${status}`, isPassing: status >= 500 };
}

/** Asked when there was no answer. Throws what is not the address's fault. */
export function outcomeOfError(error: unknown, { text, timeoutSecs }: { text: string; timeoutSecs: number }): Failure {
  if (!(error instanceof OutsideError)) throw error;
  switch (error.reason) {
    case 'bad-url':
    case 'forbidden-address':
      return DISALLOWED;
    case 'timeout':
      return unavailable(timedOut(timeoutSecs), error.reason);
    case 'no-address':
    case 'no-connection':
      return unavailable(NO_CONNECTION, error.reason);
    case 'too-large':
    case 'too-many-redirects':
      return exception('ResponseTooLarge', 'The response is too large.', text);
  }
}

/** Of calls that nobody lived to see the end of. */
export const GIVEN_UP: Failure = unavailable(NO_CONNECTION, 'given up');

function unavailable(toOwner: string, reason: string): Failure {
  return { kind: 'failure', said: 'Bot is unavailable', toOwner, reason, isPassing: true };
}

function exception(type: string, what: string, text: string): Failure {
  const said = `An exception of type *${type}* occurred for message \`${text}\`! See the Parley server logs for more information.`;
  return { kind: 'failure', said, toOwner: exceptionOccurred(type, what), reason: what, isPassing: false };
}
