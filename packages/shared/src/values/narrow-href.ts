interface Channel {
  id: number;
  name: string;
}

/** A channel's address on its organization's pages. */
export function channelHref(channel: Channel): string {
  return `/#narrow/channel/${slug(channel)}`;
}

/** The address of a topic. `messageId` keeps the link working after the topic is renamed; a topic without messages has none. */
export function topicHref(channel: Channel, topic: string, messageId: number | undefined): string {
  const href = `${channelHref(channel)}/topic/${encodeHashComponent(topic)}`;
  return messageId === undefined ? href : `${href}/with/${messageId}`;
}

/** The address of a message in a channel. */
export function messageHref(channel: Channel, topic: string, messageId: string): string {
  return `${channelHref(channel)}/topic/${encodeHashComponent(topic)}/near/${messageId}`;
}

/** The address of a direct message. */
export function directMessageHref(participantIds: readonly number[], messageId: string): string {
  const kind = participantIds.length > 2 ? 'group' : 'dm';
  return `/#narrow/dm/${participantIds.join(',')}-${kind}/near/${messageId}`;
}

function slug({ id, name }: Channel): string {
  return `${id}-${encodeHashComponent(name.replaceAll(' ', '-'))}`;
}

/** Percent-encoding with `.` for `%`, the rules by which clients parse the URL's fragment. */
function encodeHashComponent(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('.', '%2E')
    .replaceAll('%', '.');
}
