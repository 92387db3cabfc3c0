/** The text before the cursor that has suggestions. */
export interface Trigger {
  kind: 'mention' | 'channel' | 'topic' | 'emoji' | 'language' | 'command';
  query: string;
  /** Where the text begins that a suggestion replaces; it ends at the cursor. */
  start: number;
  /** For mentions: silent ones. */
  isSilent?: boolean;
  /** For topics: the channel's name. */
  channel?: string;
}

/** Names are looked for in so many characters before the cursor. */
const LONGEST = 80;
const BEFORE = String.raw`(?<=^|[\s'"({[/<])`;

const MENTION = new RegExp(String.raw`${BEFORE}@(_?)\*{0,2}([^\s@*][^@*\n]*)?$`, 'u');
const TOPIC = new RegExp(String.raw`${BEFORE}#\*{0,2}([^#*>\s][^#*>\n]*)>([^*\n]*)$`, 'u');
const CHANNEL = new RegExp(String.raw`${BEFORE}#\*{0,2}([^\s#*>][^#*>\n]*)?$`, 'u');
/** Of two signs at least, and not after a nose: `:D` and `:-P` are smileys by themselves, whose Enter sends. */
const EMOJI = /(?<![\p{L}\p{N}_:]):([\p{L}\p{N}_+][\p{L}\p{N}_+-]{1,39}|-1)$/u;
const COMMAND = /^\/([a-z]*)$/;
const LANGUAGE = /(?:^|\n)(?:`{3,}|~{3,}) ?([\w+#.-]+)$/;

/** The trigger before the cursor; null: what is typed there means nothing more than itself. */
export function triggerAt(text: string, cursor: number): Trigger | null {
  const before = text.slice(0, cursor);
  const command = COMMAND.exec(before);
  if (command) return { kind: 'command', query: command[1] as string, start: 0 };
  const line = before.slice(Math.max(before.lastIndexOf('\n') + 1, cursor - LONGEST));
  const language = LANGUAGE.exec(before);
  if (language && !isInFence(before.slice(0, language.index))) {
    return { kind: 'language', query: language[1] as string, start: cursor - (language[1] as string).length };
  }
  if (isInFence(before) || isInCode(before.slice(before.lastIndexOf('\n') + 1))) return null;
  return nameTrigger(line, cursor - line.length);
}

function nameTrigger(line: string, offset: number): Trigger | null {
  const mention = MENTION.exec(line);
  if (mention) {
    const [, silent, query = ''] = mention;
    return { kind: 'mention', query, start: offset + mention.index, isSilent: silent === '_' };
  }
  const topic = TOPIC.exec(line);
  if (topic) {
    const [, channel, query = ''] = topic;
    return { kind: 'topic', query, start: offset + topic.index, channel: channel as string };
  }
  const channel = CHANNEL.exec(line);
  if (channel) return { kind: 'channel', query: channel[1] ?? '', start: offset + channel.index };
  const emoji = EMOJI.exec(line);
  return emoji && { kind: 'emoji', query: emoji[1] as string, start: offset + emoji.index };
}

/** Within a block of code: an odd number of fences before. Only languages are suggested there, at its beginning. */
export function isInFence(before: string): boolean {
  return (before.match(/^(?:`{3,}|~{3,})(?!.*`)/gm) ?? []).length % 2 === 1;
}

function isInCode(line: string): boolean {
  return (line.match(/`/g) ?? []).length % 2 === 1;
}
