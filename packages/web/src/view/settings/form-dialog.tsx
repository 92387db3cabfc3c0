import { type Signal, useSignal } from '@preact/signals';
import { ApiError } from '../../api/call';
import { settingsTexts } from '../../texts/settings-texts';
import { texts } from '../../texts/texts';
import { Dialog, showDialog } from '../base/dialog';
import { wordsOf } from '../base/notices';
import { FormInput } from './form-input';

interface Named {
  /** As the API names it. */
  name: string;
  label: string;
  hint?: string | undefined;
  isRequired?: boolean;
}

export type FormField = Named &
  (
    | {
        kind: 'text' | 'area' | 'email' | 'password' | 'url' | 'date';
        initial?: string;
        maxLength?: number;
        minLength?: number;
      }
    | { kind: 'number'; initial?: number; min?: number; max?: number }
    | { kind: 'flag'; initial?: boolean }
    | { kind: 'choice'; initial?: unknown; choices: readonly (readonly [unknown, string])[] }
    | { kind: 'file'; accept: string }
    | { kind: 'people' | 'channels' | 'groups'; initial?: readonly number[] }
  );

export type FormValues = Record<string, unknown>;

export interface Form {
  title: string;
  note?: string;
  /** The button's label. */
  action: string;
  fields: readonly FormField[];
  /** Closes the dialog when it succeeds; an error is said in it. */
  submit: (values: FormValues) => Promise<unknown>;
}

/** What a form itself has against its values; it says it like an error of the server. */
export const refusal = (message: string) => new ApiError(400, 'BAD_REQUEST', message, {});

/** Asks for what something needs, in a dialog. */
export function showForm(form: Form): void {
  showDialog((close) => <FormDialog form={form} close={close} />);
}

const EMPTY = { text: '', area: '', email: '', password: '', url: '', date: '', flag: false } as const;

function initialOf(field: FormField): unknown {
  if (field.kind === 'choice') return field.initial ?? field.choices[0]?.[0];
  if (field.kind === 'people' || field.kind === 'channels' || field.kind === 'groups') return field.initial ?? [];
  if (field.kind === 'file') return null;
  return field.initial ?? (field.kind === 'number' ? undefined : EMPTY[field.kind]);
}

function useForm({ fields, submit }: Form, close: () => void) {
  const values: Signal<FormValues> = useSignal(
    Object.fromEntries(fields.map((field) => [field.name, initialOf(field)])),
  );
  const error = useSignal('');
  const isSending = useSignal(false);
  const send = async (event: Event) => {
    event.preventDefault();
    isSending.value = true;
    error.value = '';
    try {
      await submit(values.value);
      close();
    } catch (thrown) {
      error.value = await wordsOf(thrown);
    }
    isSending.value = false;
  };
  return { values, error, isSending, send };
}

function FormDialog({ form, close }: { form: Form; close: () => void }) {
  const { title, note, action, fields } = form;
  const { values, error, isSending, send } = useForm(form, close);
  return (
    <Dialog title={title} close={close} class="form-dialog">
      <form onSubmit={send}>
        {note && <p>{note}</p>}
        {fields.map((field) => (
          <FormInput key={field.name} field={field} values={values} />
        ))}
        {error.value !== '' && (
          <p class="error" role="alert">
            {error.value}
          </p>
        )}
        <footer>
          <button type="button" onClick={close}>
            {texts.value.cancel}
          </button>
          <button type="submit" class="main" disabled={isSending.value}>
            {isSending.value ? settingsTexts.value.saving : action}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
