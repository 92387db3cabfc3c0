import tlds from 'tlds';

/** File name extensions that are more often files than hosts. */
const notTlds = new Set(['java', 'md', 'mov', 'py', 'zip']);
const knownTlds = new Set(tlds.filter((tld) => !notTlds.has(tld)));

const maxParenthesisDepth = 7;
const trailing = /[!:;?),.'">]*$/;
const withProtocol = /^https?:\/\/[\p{L}\p{N}_.:@-]+$/u;
const dottedHost = /^(?:[\p{L}\p{N}_-]+\.)+([\p{L}\p{N}-]+)$/u;
const email = /^[\p{L}\p{N}_.-]+@[\p{L}\p{N}_.-]+\.[\p{L}\p{N}_]+$/u;
const bitcoin = /^bitcoin:[13][a-km-zA-HJ-NP-Z1-9]{25,34}$/;

/** In a word with more possible beginnings of an address, the others are not searched. */
const maxBeginnings = 50;
const beginning = /(?<=^|['"(,:<]|[\u0080-\u{fffff}])[\p{L}\p{N}_-]/gu;

/** The first URL in a word, null if there is none. */
export function findBareUrl(word: string): { start: number; url: string } | null {
  let beginnings = 0;
  for (const { index: start } of word.matchAll(beginning)) {
    if (++beginnings > maxBeginnings) return null;
    const url = urlAtStart(word.slice(start));
    if (url !== null) return { start, url };
  }
  return null;
}

/** It extends to the end of the word, without punctuation that closes a sentence, a quotation or a parenthesis. */
function urlAtStart(text: string): string | null {
  const shortest = text.length - (trailing.exec(text)?.[0].length ?? 0);
  // A longer one is better only if it includes the closing half of parentheses.
  const longest = Math.min(text.length, shortest + maxParenthesisDepth);
  for (let length = shortest; length <= longest; length++) {
    const candidate = text.slice(0, length);
    if (isUrl(candidate)) return candidate;
  }
  return null;
}

function isUrl(text: string): boolean {
  const slash = text.indexOf('/', text.startsWith('http') ? text.indexOf('://') + 3 : 0);
  const host = slash === -1 ? text : text.slice(0, slash);
  if (slash === -1 && (email.test(text) || bitcoin.test(text))) return true;
  return isHost(host) && (slash === -1 || isPath(text.slice(slash)));
}

function isHost(host: string): boolean {
  if (withProtocol.test(host)) return true;
  const tld = dottedHost.exec(host)?.[1];
  return tld !== undefined && knownTlds.has(tld);
}

/** No quotation marks, and parentheses only in pairs. */
function isPath(path: string): boolean {
  let depth = 0;
  for (const [parenthesis] of path.matchAll(/[()"]/g)) {
    if (parenthesis === '"') return false;
    depth += parenthesis === '(' ? 1 : -1;
    if (depth < 0 || depth > maxParenthesisDepth) return false;
  }
  return depth === 0;
}
