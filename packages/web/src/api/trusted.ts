import DOMPurify from 'dompurify';

// The policy of the page lets no text become HTML, except through this module.

interface Policy {
  createHTML(html: string): string;
}

interface Factory {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
}

/** Formulas have their source beside what is shown; without these elements it would be read as a part of the formula. */
const ALLOWED = {
  ADD_ATTR: ['target'],
  ADD_TAGS: ['semantics', 'annotation'],
  FORBID_TAGS: ['form', 'input', 'style'],
};

const rules: Policy = {
  createHTML: (html) => DOMPurify.sanitize(html, ALLOWED),
};

const policy: Policy = (globalThis as Factory).trustedTypes?.createPolicy('parley', rules) ?? rules;

/** The server renders messages safely; the browser does not take its word for it. */
export const trusted = {
  createHTML: (html: string) => policy.createHTML(html),
  /** The same as nodes, which can be changed before they are shown, and are not parsed twice. */
  createFragment: (html: string): DocumentFragment =>
    DOMPurify.sanitize(html, { ...ALLOWED, RETURN_DOM_FRAGMENT: true }),
};
