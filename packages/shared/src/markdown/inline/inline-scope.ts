import { element, type HtmlNode, textContent } from '../html-node';
import type { PreparedFacts } from '../prepare-facts';
import type { RenderBudget } from '../render-budget';

/**
 * One construct of inline text. Rules run one after the other over the whole text, each replacing its
 * matches by marks, so an earlier rule takes precedence where matches overlap.
 */
export interface InlineRule {
  name: string;
  /** If none of these is in the text, the rule cannot match. */
  needs: readonly string[];
  apply(text: string, scope: InlineScope): string;
}

/** References found in a message while it is rendered. */
export interface Findings {
  userIds: Set<number>;
  groupIds: Set<number>;
  mentionsChannel: boolean;
  mentionsTopic: boolean;
  hasLink: boolean;
  hasImage: boolean;
  uploadPathIds: Set<string>;
  /** Addresses of links outside of quotes. */
  linkedUrls: Set<string>;
  /** Addresses of pages whose cards may be shown. */
  cardUrls: string[];
}

/** A mark is one code point of a private-use plane, which users do not type; a typed one is stashed like a match. */
export const mark = /[\udbc0-\udbff][\udc00-\udfff]/g;
const firstMark = 0x100000;
const maxMarks = 0xfffd;

/** The state of one run of text during the rules. */
export class InlineScope {
  private readonly stash: HtmlNode[][] = [];

  constructor(
    readonly facts: PreparedFacts,
    readonly findings: Findings,
    readonly budget: RenderBudget,
    /** Inside a quote every mention is silent. */
    readonly isQuoted: boolean,
    private readonly rules: readonly InlineRule[],
  ) {}

  parse(text: string): HtmlNode[] {
    const safe = text.replace(mark, (typed) => this.put([typed]));
    return this.applyRules(safe, 0);
  }

  /** Text inside a match of `rule`: only later rules apply to it. */
  parseInside(text: string, rule: InlineRule): HtmlNode[] {
    return this.applyRules(text, this.rules.indexOf(rule) + 1);
  }

  /** Stashes nodes and returns the mark that replaces them. */
  put(nodes: HtmlNode[]): string {
    this.budget.payForElements(1);
    if (this.stash.length >= maxMarks) this.budget.refuse();
    return String.fromCodePoint(firstMark + this.stash.push(nodes) - 1);
  }

  /** Text with its marks replaced by their nodes. */
  expand(text: string): HtmlNode[] {
    const nodes: HtmlNode[] = [];
    let done = 0;
    for (const { 0: found, index } of text.matchAll(mark)) {
      if (index > done) nodes.push(text.slice(done, index));
      nodes.push(...(this.stash[(found.codePointAt(0) ?? 0) - firstMark] ?? []));
      done = index + found.length;
    }
    if (done < text.length) nodes.push(text.slice(done));
    return nodes;
  }

  /** The text visible to a reader. */
  plain(text: string): string {
    return textContent(this.expand(text));
  }

  private applyRules(source: string, first: number): HtmlNode[] {
    let text = source;
    for (let at = first; at < this.rules.length; at++) {
      const rule = this.rules[at];
      if (rule?.needs.some((characters) => text.includes(characters))) text = rule.apply(text, this);
    }
    return this.expand(text).flatMap((node) => this.breakLines(node));
  }

  /** Each newline of the source is a line break. */
  private breakLines(node: HtmlNode): HtmlNode[] {
    if (typeof node !== 'string' || !node.includes('\n')) return [node];
    const lines = node.split('\n');
    this.budget.payForElements(lines.length - 1);
    return lines.flatMap((line, at) => (at === 0 ? [line] : [element('br'), line]));
  }
}

/** Replaces matches of the pattern by the result of `build`; a match for which it returns null stays text. */
export function replaceMatches(
  text: string,
  pattern: RegExp,
  scope: InlineScope,
  build: (match: RegExpExecArray) => HtmlNode[] | null,
): string {
  let result = '';
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const nodes = build(match);
    if (nodes === null) continue;
    result += text.slice(done, match.index) + scope.put(nodes);
    done = match.index + match[0].length;
  }
  return done === 0 ? text : result + text.slice(done);
}
