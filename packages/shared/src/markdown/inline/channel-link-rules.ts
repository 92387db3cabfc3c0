import { channelHref, messageHref, topicHref } from '../../values';
import { element, type HtmlNode } from '../html-node';
import { type InlineRule, type InlineScope, replaceMatches } from './inline-scope';

/** Unlike a mention, a link may follow any punctuation and any non-ASCII character. */
function linkPattern(target: RegExp): RegExp {
  return new RegExp(`(?<![^\\s'"({[/<,:;.!?|=+\\u0080-\\uffff-])#\\*\\*${target.source}\\*\\*`, 'g');
}

/** `#**channel>topic@123**`. Does not check whether the message exists. */
export const messageLinkRule: InlineRule = {
  name: 'messageLink',
  needs: ['#**'],
  apply(text, scope) {
    const pattern = linkPattern(/([^*>]+)>([^*]*)@(\d+)/);
    return replaceMatches(text, pattern, scope, ([, name = '', topic = '', messageId = '']) => {
      const channel = scope.facts.findChannel(name);
      if (!channel) return null;
      const label = [`#${channel.name} > `, ...topicLabel(topic), ' @ 💬'];
      return [link(scope, 'message-link', {}, messageHref(channel, topic, messageId), label)];
    });
  },
};

/** `#**channel>topic**`. */
export const topicLinkRule: InlineRule = {
  name: 'topicLink',
  needs: ['#**'],
  apply(text, scope) {
    const pattern = linkPattern(/([^*>]+)>([^*]*)/);
    return replaceMatches(text, pattern, scope, ([, name = '', topic = '']) => {
      const channel = scope.facts.findChannel(name);
      if (!channel) return null;
      const href = topicHref(channel, topic, scope.facts.findTopicMessage(channel.id, topic));
      const label = [`#${channel.name} > `, ...topicLabel(topic)];
      return [link(scope, 'stream-topic', { 'data-stream-id': `${channel.id}` }, href, label)];
    });
  },
};

/** `#**channel**`. */
export const channelLinkRule: InlineRule = {
  name: 'channelLink',
  needs: ['#**'],
  apply(text, scope) {
    return replaceMatches(text, linkPattern(/([^*]+)/), scope, ([, name = '']) => {
      const channel = scope.facts.findChannel(name);
      if (!channel) return null;
      return [link(scope, 'stream', { 'data-stream-id': `${channel.id}` }, channelHref(channel), [`#${channel.name}`])];
    });
  },
};

function link(scope: InlineScope, className: string, ids: Record<string, string>, href: string, label: HtmlNode[]) {
  scope.findings.hasLink = true;
  return element('a', { class: className, ...ids, href }, label);
}

/** The empty topic has a display name. */
function topicLabel(topic: string): HtmlNode[] {
  return topic === '' ? [element('em', {}, ['general chat'])] : [topic];
}
