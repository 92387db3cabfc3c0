import DOMPurify from 'dompurify';

// The policy of the page lets no text become HTML, except through this module.

interface Policy {
  createHTML(html: string): string;
}

interface Factory {
  trustedTypes?: { createPolicy(name: string, rules: Policy): Policy };
}

/** Formulas have their source beside what is shown; without these elements it would be read as a part of the formula. */
const CONFIG = {
  ADD_ATTR: ['target'],
  ADD_TAGS: ['semantics', 'annotation'],
  FORBID_TAGS: ['form', 'input', 'style'],
  RETURN_DOM_FRAGMENT: true,
};

// Given with each call, it would be read anew for each message. Tests of the store have no document.
if (DOMPurify.isSupported) DOMPurify.setConfig(CONFIG);

/** The server renders messages safely; the browser does not take its word for it. As nodes, which can be changed before they are shown. */
const createFragment = (html: string) => DOMPurify.sanitize(html) as unknown as DocumentFragment;

const rules: Policy = {
  createHTML(html) {
    const element = document.createElement('div');
    element.append(createFragment(html));
    return element.innerHTML;
  },
};

const policy: Policy = (globalThis as Factory).trustedTypes?.createPolicy('parley', rules) ?? rules;

export const trusted = { createHTML: (html: string) => policy.createHTML(html), createFragment };
