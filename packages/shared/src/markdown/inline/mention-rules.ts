import { element } from '../html-node';
import { type InlineRule, type InlineScope, replaceMatches } from './inline-scope';

/** `@**Name**`, `@**Name|id**`, `@**all**`, `@**topic**`; with `@_` instead of `@` silent. */
export const userMentionRule: InlineRule = {
  name: 'userMention',
  needs: ['@**', '@_**'],
  apply(text, scope) {
    return replaceMatches(text, /(?<![^\s'"({[/<])@(_?)\*\*([^*]+)\*\*/g, scope, ([, underscore, name = '']) => {
      const isSilent = underscore === '_' || scope.isQuoted;
      const mention = channelWildcards.has(name)
        ? mentionChannel(scope, name, isSilent)
        : name === topicWildcard
          ? mentionTopic(scope, isSilent)
          : mentionUser(scope, name, isSilent);
      return mention && [mention];
    });
  },
};

/** `@*group*`. Deactivated and system groups are always mentioned silently. */
export const groupMentionRule: InlineRule = {
  name: 'groupMention',
  needs: ['@*', '@_*'],
  apply(text, scope) {
    return replaceMatches(text, /(?<![^\s'"({[/<])@(_?)\*([^*]+)\*/g, scope, ([, underscore, name = '']) => {
      const group = scope.facts.findGroup(name);
      if (!group) return null;
      const isSilent = underscore === '_' || scope.isQuoted || group.isActive === false || group.isSystem === true;
      if (!isSilent) scope.findings.groupIds.add(group.id);
      const label = group.displayName ?? group.name;
      return [mentionSpan('user-group-mention', isSilent, { 'data-user-group-id': `${group.id}` }, label)];
    });
  },
};

function mentionChannel(scope: InlineScope, name: string, isSilent: boolean) {
  if (!isSilent) scope.findings.mentionsChannel = true;
  return mentionSpan('user-mention channel-wildcard-mention', isSilent, { 'data-user-id': '*' }, name);
}

function mentionTopic(scope: InlineScope, isSilent: boolean) {
  if (!isSilent) scope.findings.mentionsTopic = true;
  return mentionSpan('topic-mention', isSilent, {}, 'topic');
}

function mentionUser(scope: InlineScope, reference: string, isSilentlyTyped: boolean) {
  const user = scope.facts.findUser(reference);
  if (!user) return null;
  const isSilent = isSilentlyTyped || !user.isActive;
  if (!isSilent) scope.findings.userIds.add(user.id);
  return mentionSpan('user-mention', isSilent, { 'data-user-id': `${user.id}` }, user.fullName);
}

function mentionSpan(className: string, isSilent: boolean, ids: Record<string, string>, name: string) {
  const text = isSilent ? name : `@${name}`;
  return element('span', { class: isSilent ? `${className} silent` : className, ...ids }, [text]);
}

/** `@**all**` and its synonyms. */
const channelWildcards: ReadonlySet<string> = new Set(['all', 'everyone', 'channel', 'stream']);
const topicWildcard = 'topic';

/** Whether the name is a wildcard mention. */
export function isWildcard(name: string): boolean {
  return channelWildcards.has(name) || name === topicWildcard;
}
