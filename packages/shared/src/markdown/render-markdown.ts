import { normaliseSource, parseDocument } from './blocks/parse-document';
import type { MarkdownFacts, Rendered } from './facts';
import { element, type HtmlNode, serialise } from './html-node';
import { inlineRules } from './inline/inline-rules';
import type { Findings } from './inline/inline-scope';
import { PreparedFacts } from './prepare-facts';
import { placePreviews } from './previews/place-previews';
import { renderBlocks } from './render-blocks';
import { finish, RenderBudget, type Steps } from './render-budget';
import { isAllowedTree, sanitise } from './sanitise/sanitise';

/** Raised with every change of the renderer's output, so that stored HTML of descriptions and profiles is rendered again. */
export const MARKDOWN_VERSION = 1;

/** Messages have blocks; a line is one paragraph with inline markup only. */
export type MarkdownForm = 'blocks' | 'line';

/** The HTML of a text and its references. Throws BadRequestError if that would take too long or grow too large. */
export function renderMarkdown(content: string, facts: MarkdownFacts, form: MarkdownForm = 'blocks'): Rendered {
  return finish(renderInSteps(content, facts, form));
}

/** The same for RenderingTurns, in short steps. */
export function* renderInSteps(content: string, facts: MarkdownFacts, form: MarkdownForm = 'blocks'): Steps<Rendered> {
  const findings = noFindings();
  const budget = new RenderBudget();
  budget.spend(content.length);
  const context = { facts: new PreparedFacts(facts), rules: inlineRules(facts), findings, budget };
  const parsed = parse(content, form, facts, budget);
  yield;
  const blocks = yield* renderBlocks(parsed, context);
  if (facts.showsPreviews || facts.websiteCards) placePreviews(blocks, context);
  const { userIds, groupIds, uploadPathIds, linkedUrls: _, ...rest } = findings;
  return {
    html: yield* toSafeHtml(blocks, budget),
    mentionedUserIds: [...userIds],
    mentionedGroupIds: [...groupIds],
    uploadPathIds: [...uploadPathIds],
    ...rest,
  };
}

function parse(content: string, form: MarkdownForm, facts: MarkdownFacts, budget: RenderBudget): HtmlNode[] {
  if (form === 'blocks') return parseDocument(content, budget, facts.defaultCodeLanguage);
  const line = normaliseSource(content)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ');
  return line === '' ? [] : [element('p', {}, [line])];
}

function noFindings(): Findings {
  return {
    userIds: new Set(),
    groupIds: new Set(),
    mentionsChannel: false,
    mentionsTopic: false,
    hasLink: false,
    hasImage: false,
    uploadPathIds: new Set(),
    linkedUrls: new Set(),
    cardUrls: [],
  };
}

/** Checks the allow-list on the tree, which is fast, or on the HTML if other libraries generated parts of it. */
function* toSafeHtml(blocks: HtmlNode[], budget: RenderBudget): Steps<string> {
  yield;
  const html = serialise(blocks);
  budget.checkSize(html);
  yield;
  if (isAllowedTree(blocks)) return html;
  yield;
  return sanitise(html);
}
