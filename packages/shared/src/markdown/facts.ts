/** An uploaded file that a message may show. */
export interface MarkdownUpload {
  pathId: string;
  /** Of an image, as found in its bytes; null for other files. */
  image: { contentType: string; width: number; height: number; isAnimated: boolean } | null;
  /** Of an image: whether its thumbnails are there already, or never will be. */
  thumbnails: 'none' | 'pending' | 'ready' | 'failed';
}

/** A page's description of itself, shown below a link to it. */
export interface WebsiteCard {
  /** Empty: it says nothing. */
  title: string;
  description: string;
  imageUrl: string;
}

/** The proxy for pictures of other sites; its addresses are signed with the key. */
export interface ImageProxy {
  url: string;
  key: string;
}

/** The facts about an organization that a renderer needs; the caller loads them for the names found by findReferences. */
export interface MarkdownFacts {
  users: { id: number; fullName: string; isActive: boolean }[];
  /** A system group is only ever mentioned silently, by its display name. A deactivated one likewise. */
  groups: { id: number; name: string; isActive?: boolean; isSystem?: boolean; displayName?: string }[];
  /** Channels that are active and visible to the author. */
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
  /** The files named in the content that the author may read. */
  uploads?: MarkdownUpload[];
  /** Pictures and films are shown below the links to them. */
  showsPreviews?: boolean;
  /** Absent: browsers fetch pictures from where they are. */
  imageProxy?: ImageProxy | undefined;
  /** Pages by their addresses, as they are linked to; absent: no cards are shown and none are fetched. */
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
  /** It shows a picture or a film. */
  hasImage: boolean;
  /** Of uploaded files that it links to or shows, whether they exist or not. */
  uploadPathIds: string[];
  /** Pages of which cards may be shown, known or not. */
  cardUrls: string[];
}

/** Names as written in the content: `Name`, `Name|id` or `|id`. */
export interface References {
  userNames: string[];
  groupNames: string[];
  channelNames: string[];
  /** Between colons; whether they are custom ones is not known. */
  emojiNames: string[];
  /** Of uploaded files, at most a hundred. */
  uploadPathIds: string[];
  topics: { channelName: string; topic: string }[];
}

export interface TopicLink {
  text: string;
  url: string;
}
