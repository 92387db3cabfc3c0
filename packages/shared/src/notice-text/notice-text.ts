import type { User } from '../proto';

/** A line that would begin a fence within a quote. */
const FENCE_LINE = /^ *(~{3,}|`{3,})/m;
const SHORTEST_FENCE = 4;

/** A user's name in notices: linked, but without a notification. */
export function silentMention({ id, fullName }: Pick<User, 'id' | 'fullName'>): string {
  // A name from another system may contain the end of a mention; the id identifies the user without it.
  return isMentionable(fullName) ? `@_**${fullName}|${id}**` : `@_**|${id}**`;
}

/** A user group's name in notices: linked, but without notifications. */
export function silentGroupMention(name: string): string {
  return isMentionable(name) ? `@_*${name}*` : asCode(name);
}

function isMentionable(name: string): boolean {
  return !/[*\n]/.test(name);
}

/** A channel, linked. */
export function channelLink({ id, name }: { id: number; name: string }): string {
  return isLinkable(name) ? `#**${name}**` : `[#${asLabel(name)}](/#narrow/channel/${id})`;
}

/** These end a channel's link, or turn it into one to a topic or a message. */
function isLinkable(name: string): boolean {
  return !/[*>`\n]|\$\$|@\d+$/.test(name);
}

/** A topic of a channel, linked; by `href`, its address, if the names would end such a link. */
export function topicLink(channelName: string, topic: string, href: string): string {
  const isSafe = isLinkable(channelName) && !/[*`\n]|\$\$|@\d+$/.test(topic);
  return isSafe ? `#**${channelName}>${topic}**` : `[#${asLabel(channelName)} > ${asLabel(topic)}](${href})`;
}

/** Escaped text for a Markdown link: special characters are written as entities. */
function asLabel(name: string): string {
  return name.replace(/[&<>*_`~$[\]\\@#:]/g, (character) => `&#${character.codePointAt(0)};`);
}

/** A short text, unformatted. */
export function asCode(text: string): string {
  const fence = '`'.repeat(longestRun(text, /`+/g) + 1);
  const padding = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${padding}${text}${padding}${fence}`;
}

/** A name in bold, whatever it contains. */
export function bold(name: string): string {
  return /[*_`\\\n]/.test(name) ? asCode(name) : `**${name}**`;
}

/** A user's text as a quote that ends where the text ends. A text with fences stays as typed. */
export function quote(text: string): string {
  const fence = '`'.repeat(Math.max(SHORTEST_FENCE, longestRun(text, /`+/g) + 1));
  return `${fence}${FENCE_LINE.test(text) ? 'text' : 'quote'}\n${text}\n${fence}`;
}

function longestRun(text: string, pattern: RegExp): number {
  return Math.max(0, ...(text.match(pattern) ?? []).map(({ length }) => length));
}
