// The Markdown dialect of messages, descriptions and profiles: content and facts about the organization in, HTML out, nothing
// else touched. Only services that render import this module.
//
//   blocks/    lines → a tree of blocks whose text is still source: rules tried in a fixed order
//   inline/    that text → elements: rules, each run over the whole text before the next
//   sanitise/  the second wall: only what the dialect can produce leaves
//   corpus/    the dialect by example
//
// Bounds on time, depth and size are kept by render-budget.ts.

export { directMessageHref, messageHref, topicHref } from '../values';
export type { ImageProxy, MarkdownFacts, MarkdownUpload, References, Rendered, TopicLink, WebsiteCard } from './facts';
export { findReferences } from './find-references';
export { escapeText } from './html-node';
export { isWildcard } from './inline/mention-rules';
export { loadPatternEngine } from './links/pattern-engine';
export { prepareRenderer, warmUpRenderer } from './prepare-renderer';
export { settlePreviews } from './previews/settle-previews';
export { finish, type Steps } from './render-budget';
export { MARKDOWN_VERSION, type MarkdownForm, renderInSteps, renderMarkdown } from './render-markdown';
export { RenderingTurns } from './rendering-turns';
export { selfClosing } from './sanitise/sanitise';
export { topicLinks } from './topic-links';
