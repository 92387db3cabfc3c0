import { type HtmlElement, type HtmlNode, isElement } from '../html-node';
import { escapeAttribute } from '../serialise';
import { allowedHtml, isAllowedValue } from './allowed-html';

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
