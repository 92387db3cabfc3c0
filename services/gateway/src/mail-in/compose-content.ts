import type { ChannelMailOption } from '@parley/shared/mail-in';
import { codePointLength, LIMITS, truncate } from '@parley/shared/values';
import { ownText } from './own-text';
import type { ParsedMail } from './parse-program';
import { isForwarded } from './topic-of-subject';

type Options = ReadonlySet<ChannelMailOption>;

const SHORTENED = '\n\n*(The mail is longer.)*';
const MAX_SENDER_LENGTH = 200;

/** Who is told in the message as its sender: strangers write in the name of a bot. */
export interface ContentRules {
  options: Options;
  /** The message is sent by a bot of the service, with rights that the mail's sender does not have. */
  isSentByService: boolean;
}

/** The message of a mail; empty if its sender has written nothing and sent no file. */
export function composeContent(mail: ParsedMail, fileLines: readonly string[], rules: ContentRules): string {
  const { options, isSentByService } = rules;
  const body = bodyOf(mail, options);
  if (body === '' && fileLines.length === 0) return '';
  const head = options.has('show-sender') ? `**From:** ${senderLine(mail.from)}\n\n` : '';
  const files = fileLines.length === 0 ? '' : `\n\n${fileLines.join('\n')}`;
  const room = Math.max(0, LIMITS.messageLength - codePointLength(head + files));
  const content = `${head}${truncate(body, room, SHORTENED)}${files}`;
  // Whoever has a channel's address may write there, but not call up all who read it.
  return (isSentByService ? silenced(content) : content).trim();
}

function bodyOf(mail: ParsedMail, options: Options): string {
  const prefersHtml = options.has('prefer-html') && mail.markdown !== '';
  const isTextUsed = mail.text.trim() !== '' && !prefersHtml;
  const quotes = options.has('include-quotes') || isForwarded(mail.subject);
  return ownText(isTextUsed ? mail.text : mail.markdown, { quotes, footer: options.has('include-footer') });
}

function senderLine({ name, address }: ParsedMail['from']): string {
  const shown = name === '' || name === address ? address : `${name} (${address})`;
  return truncate(shown.replace(/[\p{Cc}\p{Cs}*_`\s]+/gu, ' ').trim(), MAX_SENDER_LENGTH, '…') || 'unknown';
}

/** With mentions that notify nobody. */
function silenced(content: string): string {
  return content.replace(/@(?=\*)/g, '@_');
}
