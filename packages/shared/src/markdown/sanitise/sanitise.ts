import sanitizeHtml from 'sanitize-html';
import { escapeAttribute, type HtmlElement, type HtmlNode, isElement } from '../html-node';
import { allowedHtml, isAllowedValue } from './allowed-html';

/** Elements without content and end tag. */
export const selfClosing = ['br', 'hr', 'img', 'line', 'path'];

const options = {
  allowedTags: Object.keys(allowedHtml),
  allowedAttributes: Object.fromEntries(
    Object.entries(allowedHtml).map(([tag, attributes]) => [tag, Object.keys(attributes)]),
  ),
  // The table is stricter than schemes alone, and checks them.
  allowedSchemesAppliedToAttributes: [],
  allowedEmptyAttributes: ['alt', 'class', 'title'],
  nonBooleanAttributes: [],
  parseStyleAttributes: false,
  selfClosing,
  // NOTE: entities stay as they are written, so every rule of the table is one for the written form.
  parser: { decodeEntities: false, lowerCaseAttributeNames: false },
  transformTags: {
    '*': (tagName: string, attributes: Record<string, string>) => ({
      tagName,
      attribs: allowedAttributes(tagName, attributes),
    }),
  },
};

/**
 * The second wall: whatever a rule got wrong, only what the dialect can produce leaves here. The dialect's own output is
 * left as it is, to the letter.
 */
export function sanitise(html: string): string {
  return serialised(sanitizeHtml(html, options));
}

/** The sanitiser's HTML, with empty elements written as the dialect writes them. */
function serialised(html: string): string {
  return html.replace(/(<(?:path|line)\b[^>]*) \/>/g, '$1/>').replaceAll(' />', '>');
}

function allowedAttributes(tag: string, attributes: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).filter(([name, value]) => isAllowedValue(tag, name, value)));
}

/**
 * Whether the nodes hold nothing but what the dialect can produce, so that their HTML needs no sanitizing: the serialiser
 * escapes all text. HTML that was made elsewhere is not taken apart here; it only passes where it cannot hold a tag.
 */
export function isAllowedTree(nodes: readonly HtmlNode[]): boolean {
  return nodes.every((node) => {
    if (typeof node === 'string') return true;
    return isElement(node) ? isAllowedElement(node) : !/[<>]/.test(node.html);
  });
}

function isAllowedElement({ tag, attributes, children }: HtmlElement): boolean {
  // The serialiser writes the elements of a spoiler by itself, and in them what is in its parts.
  if (tag === 'spoiler') return children.every((part) => isElement(part) && isAllowedTree(part.children));
  return Object.hasOwn(allowedHtml, tag) && hasAllowedAttributes(tag, attributes) && isAllowedTree(children);
}

function hasAllowedAttributes(tag: string, attributes: Record<string, string>): boolean {
  // NOTE: the rules are for the written form.
  return Object.entries(attributes).every(([name, value]) => isAllowedValue(tag, name, escapeAttribute(value)));
}
