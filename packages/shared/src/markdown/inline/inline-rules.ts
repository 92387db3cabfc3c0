import type { MarkdownFacts } from '../facts';
import { autolinkRule } from './autolink-rule';
import { channelLinkRule, messageLinkRule, topicLinkRule } from './channel-link-rules';
import { codeSpanRule } from './code-span-rule';
import { embedRule } from './embed-rule';
import { emojiNameRule, emoticonRule, unicodeEmojiRule } from './emoji-rules';
import { emphasisStarRule, strikethroughRule, strongEmphasisRule, strongRule } from './emphasis-rules';
import { entityRule } from './entity-rule';
import type { InlineRule } from './inline-scope';
import { linkRule } from './link-rule';
import { linkifierRule } from './linkifier-rule';
import { mathRule } from './math-rule';
import { groupMentionRule, userMentionRule } from './mention-rules';
import { timeRule } from './time-rule';

/** Their order is the dialect's: where two overlap, the earlier one wins. */
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
