import type { InvitationFound } from '@parley/shared/proto';
import { escapeHtml, PASSWORD_LIMITS } from '@parley/shared/values';
import type { SentParameters } from '../http/decode-parameters';
import { type Field, field, MAX_EMAIL_LENGTH } from './form-field';

const { minLength, maxLength } = PASSWORD_LIMITS;
const MAX_NAME_LENGTH = 100;

export interface FormState {
  /** The previous input, without passwords. */
  sent: SentParameters;
  /** The error of the previous attempt. */
  error: string | null;
}

/** The form of an e-mail invitation, which creates the account. */
export function accountForm(
  { email = '', isPasswordNeeded }: InvitationFound,
  { sent, error }: FormState,
  termsUrl: string | undefined,
): string {
  const name: Field = {
    name: 'full_name',
    label: 'Your name',
    type: 'text',
    autocomplete: 'name',
    value: sent.get('full_name') ?? '',
    isFirst: error === null,
    minLength: 2,
    maxLength: MAX_NAME_LENGTH,
  };
  const password: Field = {
    name: 'password',
    label: 'Choose a password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `${minLength} to ${maxLength} characters, and not easy to guess.`,
    minLength,
    maxLength,
  };
  return `<p>Your address is <strong>${escapeHtml(email)}</strong>.</p>
<form method="post">
${field(name)}${isPasswordNeeded ? field(password) : ''}${terms(termsUrl)}<button type="submit">Join</button>
</form>`;
}

/** The form of a reusable link: the account is created after the address is confirmed. */
export function addressForm({ sent, error }: FormState): string {
  const email: Field = {
    name: 'email',
    label: 'Your email address',
    type: 'email',
    autocomplete: 'email',
    value: sent.get('email') ?? '',
    hint: 'We send you a link by which you go on.',
    isFirst: error === null,
    maxLength: MAX_EMAIL_LENGTH,
  };
  return `<form method="post">
${field(email)}<button type="submit">Send the link</button>
</form>`;
}

function terms(url: string | undefined): string {
  if (url === undefined) return '';
  const link = `<a href="${escapeHtml(url)}" target="_blank" rel="noreferrer">terms of service</a>`;
  return `<p><input id="accept_terms" name="accept_terms" type="checkbox" value="true" required>
<label class="beside" for="accept_terms">I accept the ${link}.</label></p>
`;
}
