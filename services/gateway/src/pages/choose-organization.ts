import { escapeHtml, realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import { type Answer, seeOther } from '../http/answer';
import type { Exchange } from '../http/exchange';
import { pageTexts, type Said } from '../http/page-language';
import { readForm } from '../http/read-form';
import type { Page } from '../http/routes';
import { CHOOSE_PATH, SIGN_IN_PATH, webPage } from '../http/web-page';
import { errorText, field } from './form-field';
import { subdomainNamed } from './named-subdomain';
import { orNull } from './organization';

/** A host's name has at most 253 characters; an address pasted from a browser may also have a path. */
const MAX_LENGTH = 1_000;

/** Asks for the organization, where an address belongs to none, and leads to its sign-in page. */
export function chooseOrganizationPage(ctx: Context): Page {
  return {
    path: CHOOSE_PATH,
    methods: ['GET', 'POST'],
    isForPeople: true,
    answer: (_path, exchange) => answer(ctx, exchange),
  };
}

async function answer(ctx: Context, exchange: Exchange): Promise<Answer> {
  const { req, call } = exchange;
  ctx.rateLimits.countAddress(exchange);
  if (req.method !== 'POST') return form(ctx, exchange, { typed: '', error: null });
  const { parameters: sent } = await readForm(req);
  const typed = sent.get('organization') ?? '';
  const subdomain = typed.length > MAX_LENGTH ? null : subdomainNamed(typed, ctx.config.EXTERNAL_HOST);
  const found = subdomain === null ? null : await orNull(ctx.services.realm.getRealm(call, { subdomain }));
  if (found) return seeOther(realmUrl(found.subdomain, ctx.config.EXTERNAL_HOST) + SIGN_IN_PATH);
  const error = { text: pageTexts(exchange).choice.unknown };
  return form(ctx, exchange, { typed: typed.slice(0, MAX_LENGTH), error });
}

function form(
  { config }: Context,
  exchange: Exchange,
  { typed, error }: { typed: string; error: Said | null },
): Answer {
  const { choice: texts } = pageTexts(exchange);
  const example = new URL(realmUrl('acme', config.EXTERNAL_HOST)).host;
  const organization = field({
    name: 'organization',
    label: texts.label,
    type: 'text',
    autocomplete: 'organization',
    value: typed,
    hint: texts.hint(example),
    isFirst: error === null,
    maxLength: MAX_LENGTH,
  });
  const content = `${errorText(error)}<form method="post" action="${escapeHtml(CHOOSE_PATH)}">
${organization}<button type="submit">${escapeHtml(texts.action)}</button>
</form>`;
  return webPage(exchange, {
    title: texts.title,
    content,
    status: error === null ? 200 : 404,
    formTargets: ['', '*'].map((subdomain) => realmUrl(subdomain, config.EXTERNAL_HOST)),
  });
}
