import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  /** Gets the id that the label names. */
  children: (id: string) => ComponentChildren;
}

export function Field({ label, children }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(id)}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  isDisabled?: boolean;
  change: (value: string) => void;
}

export function Choice({ label, value, options, isDisabled = false, change }: ChoiceProps) {
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          value={value}
          disabled={isDisabled}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        >
          {options.map(([key, text]) => (
            <option key={key} value={key}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface FlagProps {
  label: string;
  isSet: boolean;
  isDisabled?: boolean;
  change: (isSet: boolean) => void;
}

export function Flag({ label, isSet, isDisabled = false, change }: FlagProps) {
  return (
    <label class="flag">
      <input
        type="checkbox"
        checked={isSet}
        disabled={isDisabled}
        onChange={({ currentTarget }) => change(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
