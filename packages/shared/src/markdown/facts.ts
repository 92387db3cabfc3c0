/** An uploaded file that a message may show. */
export interface MarkdownUpload {
  pathId: string;
  /** Size of an image, as found in its bytes; null for other files. */
  image: { contentType: string; width: number; height: number; isAnimated: boolean } | null;
  /** For an image: whether its thumbnails exist, or never will. */
  thumbnails: 'none' | 'pending' | 'ready' | 'failed';
}

/** A page's description of itself, shown below links to it. */
export interface WebsiteCard {
  /** Empty: it says nothing. */
  title: string;
  description: string;
  imageUrl: string;
}

/** The proxy for images of other sites; its addresses are signed with the key. */
export interface ImageProxy {
  url: string;
  key: string;
}

/** The facts about an organization that a renderer needs; the caller loads them for the names found by findReferences. */
export interface MarkdownFacts {
  users: { id: number; fullName: string; isActive: boolean }[];
  /** A system group is always mentioned silently, by its display name; a deactivated one, too. */
  groups: { id: number; name: string; isActive?: boolean; isSystem?: boolean; displayName?: string }[];
  /** Channels that are active and visible to the author. */
  channels: { id: number; name: string }[];
  /** In processing order: earlier ones take precedence. */
  linkifiers: { id: number; pattern: string; urlTemplate: string }[];
  /** Without a trailing slash: `https://chat.example.com`. */
  realmUrl: string;
  /** The sender's own setting: turn `:)` into an emoji. */
  translateEmoticons?: boolean;
  /** Applies to code fences without a language. */
  defaultCodeLanguage?: string;
  /** Active ones only. */
  customEmoji?: { name: string; id: string; sourceUrl: string }[];
  /** The message to which a topic link leads (`/with/…`); a topic that is not listed has no messages. */
  topicMessageIds?: { channelId: number; topic: string; messageId: number }[];
  /** The files named in the content that the author may read. */
  uploads?: MarkdownUpload[];
  /** Images and videos are shown below links to them. */
  showsPreviews?: boolean;
  /** Absent: browsers load images from their own sites. */
  imageProxy?: ImageProxy | undefined;
  /** Linked pages, by address; absent: no cards are shown and none are fetched. */
  websiteCards?: ReadonlyMap<string, WebsiteCard> | undefined;
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
  /** It shows an image or a video. */
  hasImage: boolean;
  /** Paths of uploaded files that it links to or shows, whether or not they exist. */
  uploadPathIds: string[];
  /** Pages whose cards may be shown, fetched or not. */
  cardUrls: string[];
}

/** Names as written in the content: `Name`, `Name|id` or `|id`. */
export interface References {
  userNames: string[];
  groupNames: string[];
  channelNames: string[];
  /** Names between colons, of built-in or custom emoji. */
  emojiNames: string[];
  /** Paths of uploaded files, at most a hundred. */
  uploadPathIds: string[];
  topics: { channelName: string; topic: string }[];
}

export interface TopicLink {
  text: string;
  url: string;
}
