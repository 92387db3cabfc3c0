import { call } from '../../../api/call';
import { type ProfileField, readSettings } from '../../../store/settings-state';
import { settingsTexts } from '../../../texts/settings-texts';
import { confirm } from '../../base/dialog';
import { attempt } from '../../base/notices';
import { type FormField, type FormValues, showForm } from '../form-dialog';
import { Action, Entry, Listing, Part } from '../listing';
import { MoveActions } from '../order';
import { choicesOf, FIELD_KINDS, fieldDataOf } from '../profile-field-kinds';

/** The fields that profiles have. */
export function ProfileFieldList() {
  const t = settingsTexts.value;
  const { custom_profile_fields: fields, is_admin: isAdmin } = readSettings();
  const ids = fields.map(({ id }) => id);
  const reorder = (order: readonly number[]) => attempt(() => call('PATCH', '/realm/profile_fields', { order }));
  return (
    <Part note={t.profileFieldsNote}>
      {isAdmin && <Action isMain label={t.addField} run={chooseKind} />}
      <Listing
        label={t.sections.fields}
        items={fields}
        textOf={({ name }) => name}
        keyOf={({ id }) => id}
        draw={(field) => (
          <Entry title={field.name} detail={detailOf(field)}>
            {isAdmin && (
              <>
                <MoveActions ids={ids} id={field.id} name={field.name} reorder={reorder} />
                <Action label={t.edit} of={field.name} run={() => editField(field)} />
                <Action label={t.remove} of={field.name} run={() => remove(field)} />
              </>
            )}
          </Entry>
        )}
      />
    </Part>
  );
}

function detailOf(field: ProfileField): string {
  const t = settingsTexts.value;
  const notes = [field.required && t.isRequired, field.display_in_profile_summary && t.isOnCard];
  return [t.fieldKinds[field.type], ...notes].filter(Boolean).join(' · ');
}

async function remove({ id, name }: ProfileField): Promise<void> {
  const t = settingsTexts.value;
  if (await confirm(name, t.removeFieldQuestion, t.remove)) {
    await attempt(() => call('DELETE', `/realm/profile_fields/${id}`));
  }
}

/** A field's kind decides its further properties. */
function chooseKind(): void {
  const t = settingsTexts.value;
  const choices = Object.values(FIELD_KINDS).map((kind) => [kind, t.fieldKinds[kind] ?? ''] as const);
  showForm({
    title: t.addField,
    action: t.next,
    fields: [{ kind: 'choice', name: 'type', label: t.kind, choices }],
    submit: async ({ type }) => createField(Number(type)),
  });
}

function createField(type: number): void {
  const t = settingsTexts.value;
  showForm({
    title: t.addField,
    action: t.add,
    fields: fieldsFor(type),
    submit: (values) => call('POST', '/realm/profile_fields', { ...sentField(type, values), field_type: type }),
  });
}

function editField(field: ProfileField): void {
  showForm({
    title: field.name,
    action: settingsTexts.value.save,
    fields: fieldsFor(field.type, field),
    submit: (values) => call('PATCH', `/realm/profile_fields/${field.id}`, sentField(field.type, values, field)),
  });
}

function fieldsFor(type: number, field?: ProfileField): FormField[] {
  const t = settingsTexts.value;
  return [
    ...kindFields(type, field),
    { kind: 'flag', name: 'required', label: t.isRequired, initial: field?.required ?? false },
    { kind: 'flag', name: 'editable_by_user', label: t.isEditable, initial: field?.editable_by_user ?? true },
    {
      ...{ kind: 'flag', name: 'display_in_profile_summary', label: t.isOnCard },
      initial: field?.display_in_profile_summary ?? false,
    },
  ];
}

function kindFields(type: number, field?: ProfileField): FormField[] {
  const t = settingsTexts.value;
  const data = field?.field_data ?? '';
  if (type === FIELD_KINDS.account) {
    const accounts = Object.entries(readSettings().realm_default_external_accounts);
    return [
      {
        ...{ kind: 'choice', name: 'subtype', label: t.kind },
        choices: accounts.map(([subtype, { text }]) => [subtype, text]),
        initial: data === '' ? undefined : (JSON.parse(data) as { subtype?: string }).subtype,
      },
    ];
  }
  const named: FormField[] = [
    { kind: 'text', name: 'name', label: t.name, initial: field?.name ?? '', isRequired: true, maxLength: 40 },
    { kind: 'text', name: 'hint', label: t.hint, initial: field?.hint ?? '', maxLength: 80 },
  ];
  if (type !== FIELD_KINDS.choice) return named;
  const lines = choicesOf(data).map(([, text]) => text);
  return [
    ...named,
    {
      kind: 'area',
      name: 'choices',
      label: t.choices,
      hint: t.onePerLine,
      initial: lines.join('\n'),
      isRequired: true,
    },
  ];
}

function sentField(type: number, { choices, subtype, ...values }: FormValues, field?: ProfileField): FormValues {
  if (type === FIELD_KINDS.choice) return { ...values, field_data: fieldDataOf(String(choices), field?.field_data) };
  return type === FIELD_KINDS.account ? { ...values, field_data: { subtype } } : values;
}
