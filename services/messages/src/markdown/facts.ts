/** What a renderer has to know about the organization; the caller gathers it for the names found by findReferences. */
export interface MarkdownFacts {
  users: { id: number; fullName: string; isActive: boolean }[];
  /** A system group is only ever mentioned silently, by its display name. A deactivated one likewise. */
  groups: { id: number; name: string; isActive?: boolean; isSystem?: boolean; displayName?: string }[];
  /** Channels that are not archived, private ones included. */
  channels: { id: number; name: string }[];
  /** In processing order: earlier ones win. */
  linkifiers: { id: number; pattern: string; urlTemplate: string }[];
  /** Without a slash at its end: `https://chat.example.com`. */
  realmUrl: string;
  /** The sender's own setting: turn `:)` into an emoji. */
  translateEmoticons?: boolean;
  /** Applies to code fences that name no language. */
  defaultCodeLanguage?: string;
  /** Active ones only. */
  customEmoji?: { name: string; id: string; sourceUrl: string }[];
  /** The message a topic link leads to (`/with/…`); a topic that is not listed has no messages. */
  topicMessageIds?: { channelId: number; topic: string; messageId: number }[];
}

export interface Rendered {
  html: string;
  /** Active users mentioned by name, silent mentions and quotes aside. */
  mentionedUserIds: number[];
  mentionedGroupIds: number[];
  /** `@**all**` and its synonyms. */
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  hasLink: boolean;
}

/** Names as written in the content: `Name`, `Name|id` or `|id`. */
export interface References {
  userNames: string[];
  groupNames: string[];
  channelNames: string[];
  topics: { channelName: string; topic: string }[];
}

export interface TopicLink {
  text: string;
  url: string;
}
