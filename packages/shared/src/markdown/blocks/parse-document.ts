import { element, type HtmlNode } from '../html-node';
import type { RenderBudget } from '../render-budget';
import { BlockParser, type BlockRule } from './block-parser';
import {
  BlockStash,
  headingRule,
  indentedCodeRule,
  paragraphRule,
  quoteRule,
  stashedBlockRule,
  thematicBreakRule,
} from './block-rules';
import { type Fenced, type FencedLine, readFences } from './fences';
import { bulletedListRule, ListSeparator, listIndentRule, numberedListRule } from './list-rules';
import { tableRule } from './table-rule';

/** The order is part of the dialect: earlier rules take precedence. */
const rules: BlockRule[] = [
  listIndentRule,
  indentedCodeRule,
  headingRule,
  tableRule,
  thematicBreakRule,
  numberedListRule,
  bulletedListRule,
  quoteRule,
  paragraphRule,
];

/** The blocks of a message. Their content is still source: text, `pre`, and the content of fences. */
export function parseDocument(content: string, budget: RenderBudget, defaultLanguage = ''): HtmlNode[] {
  const lines = normaliseSource(content).trimEnd().split('\n');
  return parseLines(readFences(lines, defaultLanguage), budget);
}

function parseLines(lines: FencedLine[], budget: RenderBudget): HtmlNode[] {
  const stash = new BlockStash();
  const root = element('div');
  const parser = new BlockParser([stashedBlockRule(stash), ...rules], budget);
  parser.parseText(root, sourceOf(lines, stash, budget).join('\n'));
  return root.children;
}

/** Plain lines: each fenced block is replaced by a mark, with blank lines around it. */
function sourceOf(lines: FencedLine[], stash: BlockStash, budget: RenderBudget): string[] {
  const separator = new ListSeparator();
  return lines.flatMap((line, at) => {
    if (typeof line !== 'string') return ['', ...sourceOfFenced(line, stash, budget), ''];
    const previous = lines[at - 1];
    return separator.isMissing(typeof previous === 'string' ? previous : undefined, line) ? ['', line] : [line];
  });
}

function sourceOfFenced(fenced: Fenced, stash: BlockStash, budget: RenderBudget): string[] {
  switch (fenced.kind) {
    case 'quote':
      return sourceOf(fenced.children, stash, budget).map((line) => `> ${line}`);
    case 'spoiler':
      return [
        stash.put(
          element('spoiler', {}, [
            element('header', {}, parseLines([fenced.header], budget)),
            element('content', {}, parseLines(fenced.children, budget)),
          ]),
        ),
      ];
    case 'math':
      return [stash.put(element('math', {}, [fenced.lines.join('\n')]))];
    case 'code':
      return [stash.put(element('pre', { language: fenced.language }, [fenced.lines.join('\n')]))];
  }
}

const tabStop = 4;

/** Normalizes newlines, replaces tabs, empties blank lines, and removes characters that mark stashed blocks. */
export function normaliseSource(content: string): string {
  const text = content.replace(/\r\n?/g, '\n').replaceAll('\u0002', '').replaceAll('\u0003', '');
  return expandTabs(text).replace(/(?<=\n) +(?=\n)/g, '');
}

function expandTabs(text: string): string {
  if (!text.includes('\t')) return text;
  return text.split('\n').map(expandTabsOfLine).join('\n');
}

function expandTabsOfLine(line: string): string {
  let expanded = '';
  for (const piece of line.split(/(\t)/)) {
    expanded += piece === '\t' ? ' '.repeat(tabStop - (expanded.length % tabStop)) : piece;
  }
  return expanded;
}
