import type { InvitationFound } from '@parley/shared/proto';
import type { PageTexts } from '@parley/shared/texts/pages';
import { escapeHtml, PASSWORD_LIMITS } from '@parley/shared/values';
import type { SentParameters } from '../http/decode-parameters';
import { markedUp, type Said, strong } from '../http/page-language';
import { type Field, field, MAX_EMAIL_LENGTH } from './form-field';

const { minLength, maxLength } = PASSWORD_LIMITS;
const MAX_NAME_LENGTH = 100;

export interface FormState {
  /** The previous input, without passwords. */
  sent: SentParameters;
  /** The error of the previous attempt. */
  error: Said | null;
}

/** The form of an e-mail invitation, which creates the account. */
export function accountForm(
  { email = '', isPasswordNeeded }: InvitationFound,
  { sent, error }: FormState,
  { texts: { joining: texts, common }, termsUrl }: { texts: PageTexts; termsUrl: string | undefined },
): string {
  const name: Field = {
    name: 'full_name',
    label: texts.yourName,
    type: 'text',
    autocomplete: 'name',
    value: sent.get('full_name') ?? '',
    isFirst: error === null,
    minLength: 2,
    maxLength: MAX_NAME_LENGTH,
  };
  const password: Field = {
    name: 'password',
    label: texts.password,
    type: 'password',
    autocomplete: 'new-password',
    hint: common.passwordHint(String(minLength), String(maxLength)),
    minLength,
    maxLength,
  };
  return `<p>${markedUp(texts.address, strong(email))}</p>
<form method="post">
${field(name)}${isPasswordNeeded ? field(password) : ''}${terms(texts, termsUrl)}<button type="submit">${escapeHtml(texts.action)}</button>
</form>`;
}

/** The form of a reusable link: the account is created after the address is confirmed. */
export function addressForm({ sent, error }: FormState, { joining, common }: PageTexts): string {
  const email: Field = {
    name: 'email',
    label: common.yourEmail,
    type: 'email',
    autocomplete: 'email',
    value: sent.get('email') ?? '',
    hint: joining.linkHint,
    isFirst: error === null,
    maxLength: MAX_EMAIL_LENGTH,
  };
  return `<form method="post">
${field(email)}<button type="submit">${escapeHtml(common.sendLink)}</button>
</form>`;
}

function terms(texts: PageTexts['joining'], url: string | undefined): string {
  if (url === undefined) return '';
  const link = `<a href="${escapeHtml(url)}" target="_blank" rel="noreferrer">${escapeHtml(texts.termsLink)}</a>`;
  return `<p><input id="accept_terms" name="accept_terms" type="checkbox" value="true" required>
<label class="beside" for="accept_terms">${markedUp(texts.terms, link)}</label></p>
`;
}
