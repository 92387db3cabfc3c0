import sanitizeHtml from 'sanitize-html';
import { allowedHtml, isAllowedValue } from './allowed-html';

/** What has no content, and no end tag. */
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
