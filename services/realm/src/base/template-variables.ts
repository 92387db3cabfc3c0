import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';

const EXPRESSION = /\{[+#./;?&]?([^{}]*)\}/g;
const MODIFIER = /(:\d+|\*+)$/;
/** Text outside of expressions, by RFC 6570, plus non-ASCII characters. */
const LITERALS = /^(?:[^\p{Cc}\p{Cs} "<>\\^`{|}%]|%[0-9A-Fa-f]{2})*$/u;

/** Names of the variables in a URL template; null when it is invalid by RFC 6570. */
export function templateVariables(template: string): Set<string> | null {
  if (!isExpandable(template) || !LITERALS.test(template.replace(EXPRESSION, ''))) return null;
  const lists = [...template.matchAll(EXPRESSION)].map(([, variables]) => variables as string);
  return new Set(lists.flatMap((list) => list.split(',').map((variable) => variable.replace(MODIFIER, ''))));
}

function isExpandable(template: string): boolean {
  try {
    StdUriTemplate.expand(template, {});
    return true;
  } catch {
    return false;
  }
}
