import type { MarkdownFacts, MarkdownUpload } from './facts';

type User = MarkdownFacts['users'][number];
type Group = MarkdownFacts['groups'][number];
type Channel = MarkdownFacts['channels'][number];
type CustomEmoji = NonNullable<MarkdownFacts['customEmoji']>[number];

/** The facts, indexed by name. An index is built on its first use. */
export class PreparedFacts {
  private usersByName: Map<string, User> | undefined;
  private groupsByName: Map<string, Group> | undefined;
  private channelsByName: Map<string, Channel> | undefined;
  private emojiByName: Map<string, CustomEmoji> | undefined;
  private topicMessages: Map<string, number> | undefined;

  constructor(readonly all: MarkdownFacts) {}

  /** `Name`, `Name|id` or `|id`. A name without an id matches any user of that name. */
  findUser(reference: string): User | undefined {
    const [, name, id] = /^(.*)\|(\d+)$/s.exec(reference) ?? [];
    if (id === undefined) {
      this.usersByName ??= new Map(this.all.users.map((user) => [user.fullName.toLowerCase(), user]));
      return this.usersByName.get(reference.toLowerCase());
    }
    const user = this.all.users.find((candidate) => candidate.id === Number(id));
    return name === '' || name === user?.fullName ? user : undefined;
  }

  findGroup(name: string): Group | undefined {
    this.groupsByName ??= new Map(this.all.groups.map((group) => [group.name.toLowerCase(), group]));
    return this.groupsByName.get(name.toLowerCase());
  }

  findChannel(name: string): Channel | undefined {
    this.channelsByName ??= new Map(this.all.channels.map((channel) => [channel.name, channel]));
    return this.channelsByName.get(name);
  }

  findUpload(pathId: string): MarkdownUpload | undefined {
    return this.all.uploads?.find((upload) => upload.pathId === pathId);
  }

  findCustomEmoji(name: string): CustomEmoji | undefined {
    this.emojiByName ??= new Map(this.all.customEmoji?.map((emoji) => [emoji.name, emoji]));
    return this.emojiByName.get(name);
  }

  /** The message to which a link to the topic leads; topics are compared ignoring case. */
  findTopicMessage(channelId: number, topic: string): number | undefined {
    const known = this.all.topicMessageIds ?? [];
    this.topicMessages ??= new Map(known.map((entry) => [topicKey(entry.channelId, entry.topic), entry.messageId]));
    return this.topicMessages.get(topicKey(channelId, topic));
  }
}

function topicKey(channelId: number, topic: string): string {
  return `${channelId}>${topic.toLowerCase()}`;
}
