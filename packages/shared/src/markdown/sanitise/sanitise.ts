import { createRequire } from 'node:module';
import type sanitizeHtml from 'sanitize-html';
import { escapeAttribute, type HtmlElement, type HtmlNode, isElement } from '../html-node';
import { allowedHtml, isAllowedValue } from './allowed-html';

/** Elements without content and end tag. */
export const selfClosing = ['br', 'hr', 'img', 'line', 'path'];

const options = {
  allowedTags: Object.keys(allowedHtml),
  allowedAttributes: Object.fromEntries(
    Object.entries(allowedHtml).map(([tag, attributes]) => [tag, Object.keys(attributes)]),
  ),
  // The table is stricter than a list of schemes, and includes them.
  allowedSchemesAppliedToAttributes: [],
  allowedEmptyAttributes: ['alt', 'class', 'title'],
  nonBooleanAttributes: [],
  parseStyleAttributes: false,
  selfClosing,
  // NOTE: entities stay as written, so all rules of the table apply to the written form.
  parser: { decodeEntities: false, lowerCaseAttributeNames: false },
  transformTags: {
    '*': (tagName: string, attributes: Record<string, string>) => ({
      tagName,
      attribs: allowedAttributes(tagName, attributes),
    }),
  },
};

/** The large parts of the sanitizer. Loaded with it they hold the event loop for 35 ms. */
const LARGE_PARTS = ['postcss', 'htmlparser2'] as const;

const loadPart = (name: string) => createRequire(require.resolve('sanitize-html'))(name);

/** Loads the sanitizer in steps, each for a turn of the event loop of its own. */
export const stepsOfLoadingSanitizer = (): (() => unknown)[] => [
  ...LARGE_PARTS.map((name) => () => loadPart(name)),
  loadSanitizer,
];

let loaded: typeof sanitizeHtml | undefined;

/** Loads the sanitizer, which only formulas need, if that was not done yet. */
function loadSanitizer(): typeof sanitizeHtml {
  loaded ??= require('sanitize-html') as typeof sanitizeHtml;
  return loaded;
}

/**
 * Second protection against unsafe HTML: removes everything that the renderer cannot generate, whatever a rule got wrong. Leaves
 * the renderer's own output unchanged, byte for byte.
 */
export function sanitise(html: string): string {
  return serialised(loadSanitizer()(html, options));
}

/** The sanitizer's HTML, with empty elements written as the renderer writes them. */
function serialised(html: string): string {
  return html.replace(/(<(?:path|line)\b[^>]*) \/>/g, '$1/>').replaceAll(' />', '>');
}

function allowedAttributes(tag: string, attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([name, value]) => isAllowedValue(tag, name, value)));
}

/**
 * Whether the nodes contain only what the renderer can generate, so that their HTML needs no sanitizing: the serializer
 * escapes all text. HTML generated elsewhere is not parsed here; it passes only if it cannot contain a tag.
 */
export function isAllowedTree(nodes: readonly HtmlNode[]): boolean {
  return nodes.every((node) => {
    if (typeof node === 'string') return true;
    return isElement(node) ? isAllowedElement(node) : !/[<>]/.test(node.html);
  });
}

function isAllowedElement({ tag, attributes, children }: HtmlElement): boolean {
  // The serializer writes the elements of a spoiler itself, with the content of its parts.
  if (tag === 'spoiler') return children.every((part) => isElement(part) && isAllowedTree(part.children));
  return Object.hasOwn(allowedHtml, tag) && hasAllowedAttributes(tag, attributes) && isAllowedTree(children);
}

function hasAllowedAttributes(tag: string, attributes: Record<string, string>): boolean {
  // NOTE: the rules apply to the written form.
  return Object.entries(attributes).every(([name, value]) => isAllowedValue(tag, name, escapeAttribute(value)));
}
