import { silentMention } from '@parley/shared/notice-text';
import type { User } from '@parley/shared/proto';
import { truncate } from '@parley/shared/values';

/** So much of what a bot has answered is shown to its owner. */
const MAX_SHOWN_LENGTH = 2_000;
const SHORTEST_FENCE = 3;

export const DISALLOWED_ADDRESS = 'The URL configured for the webhook is for a private or disallowed network.';
export const NO_CONNECTION = 'A connection error occurred. Is my bot server down?';

export function timedOut(timeoutSecs: number): string {
  return `Request timed out after ${timeoutSecs} seconds.`;
}

export function gotStatus(status: number): string {
  return status === 407 ? DISALLOWED_ADDRESS : `The webhook got a response with status code *${status}*.`;
}

export function exceptionOccurred(type: string, text: string): string {
  return `When trying to send a request to the webhook service, an exception of type ${type} occurred:\n${codeBlock(text)}`;
}

export function replyWasRefused(why: string): string {
  return [
    'The outgoing webhook server attempted to send a message in Parley, but that request resulted in the following error:',
    why.replace(/^/gm, '> '),
  ].join('\n');
}

/** What a bot answered, as a further line; nothing when it answered nothing. */
export function payloadOf(body: string): string {
  return body === '' ? '' : `\nThe response contains the following payload:\n${codeBlock(body)}`;
}

function codeBlock(text: string): string {
  const shown = truncate(text, MAX_SHOWN_LENGTH, '…').replaceAll('\0', '');
  const longestRun = Math.max(0, ...(shown.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(Math.max(SHORTEST_FENCE, longestRun + 1));
  return `${fence}\n${shown}\n${fence}`;
}

/** What a bot tells its owner when telling it of a message has failed. */
export function ownerNotice(bot: User, messageHref: string, what: string): string {
  const name = /[*\n|]/.test(bot.fullName) ? silentMention(bot) : `@_**${bot.fullName}**`;
  return `[A message](${messageHref}) to your bot ${name} triggered an outgoing webhook.\n${what}`;
}
