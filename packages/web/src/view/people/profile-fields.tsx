import { type Person, type ProfileField, personName, read } from '../../store/model';
import { shortDateOf } from '../messages/times';

/** Types of the fields, as the API numbers them. */
const TYPE = { select: 3, date: 4, url: 5, people: 6, account: 7 };

/** A person's profile fields, in the organization's order. */
export function ProfileFields({ shown }: { shown: Person }) {
  const { custom_profile_fields: fields = [] } = read('people', 'settings');
  const filled = fields.flatMap((field) => {
    const value = shown.profile_data?.[field.id]?.value;
    return value ? [{ field, value }] : [];
  });
  if (filled.length === 0) return null;
  return (
    <dl class="fields">
      {filled.map(({ field, value }) => (
        <div key={field.id}>
          <dt>{field.name}</dt>
          <dd>
            <FieldValue field={field} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FieldValue({ field, value }: { field: ProfileField; value: string }) {
  const address = addressIn(field, value);
  if (address)
    return (
      <a href={address} target="_blank" rel="noreferrer noopener">
        {value}
      </a>
    );
  return <>{wordsFor(field, value)}</>;
}

function wordsFor({ type, field_data: data }: ProfileField, value: string): string {
  if (type === TYPE.date) return shortDateOf(new Date(`${value}T12:00`));
  if (type === TYPE.people) return idsIn(value).map(personName).join(', ');
  if (type === TYPE.select) return choicesIn(data)[value]?.text ?? value;
  return value;
}

/** Only of pages: `javascript:` and the like are no links. */
function addressIn({ type, field_data: data }: ProfileField, value: string): string | null {
  const pattern = type === TYPE.account ? patternIn(data) : null;
  const address = pattern ? pattern.replace('%(username)s', encodeURIComponent(value)) : value;
  return (type === TYPE.url || pattern) && /^https?:\/\//.test(address) ? address : null;
}

function patternIn(data: string): string | null {
  const { subtype, url_pattern: own } = parsed<{ subtype?: string; url_pattern?: string }>(data) ?? {};
  const known = read().realm_default_external_accounts?.[subtype ?? ''];
  return own ?? known?.url_pattern ?? null;
}

const choicesIn = (data: string) => parsed<Record<string, { text: string }>>(data) ?? {};

function idsIn(value: string): number[] {
  const ids = parsed<number[]>(value);
  return Array.isArray(ids) ? ids : [];
}

function parsed<Value>(text: string): Value | null {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return null;
  }
}
