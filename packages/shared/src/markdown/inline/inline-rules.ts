import type { MarkdownFacts } from '../facts';
import { channelLinkRule, messageLinkRule, topicLinkRule } from './channel-link-rules';
import { embedRule } from './embed-rule';
import { emojiNameRule, emoticonRule, unicodeEmojiRule } from './emoji-rules';
import type { InlineRule } from './inline-scope';
import { autolinkRule, linkifierRule, linkRule } from './link-rules';
import { groupMentionRule, userMentionRule } from './mention-rules';
import {
  codeSpanRule,
  emphasisStarRule,
  entityRule,
  mathRule,
  strikethroughRule,
  strongEmphasisRule,
  strongRule,
  timeRule,
} from './span-rules';

/** The order is part of the dialect: where matches overlap, the earlier rule takes precedence. */
export function inlineRules(facts: Pick<MarkdownFacts, 'linkifiers' | 'translateEmoticons'>): InlineRule[] {
  return [
    codeSpanRule,
    strongEmphasisRule,
    userMentionRule,
    mathRule,
    messageLinkRule,
    topicLinkRule,
    channelLinkRule,
    timeRule,
    groupMentionRule,
    embedRule,
    linkRule,
    autolinkRule,
    ...facts.linkifiers.map(linkifierRule),
    entityRule,
    strongRule,
    emphasisStarRule,
    strikethroughRule,
    emojiNameRule,
    ...(facts.translateEmoticons ? [emoticonRule] : []),
    unicodeEmojiRule,
  ];
}
