import { BadRequestError } from '@parley/shared/errors';

/** The key of errors about several fields at once. */
const ALL_FIELDS = '__all__';

/** Collects the errors of a form's fields; the refusal lists all, its text is the first. */
export class FieldErrors {
  readonly #errors: Record<string, string[]> = {};

  add(field: string, message: string): void {
    this.#errors[field] = [...(this.#errors[field] ?? []), message];
  }

  addToAll(message: string): void {
    this.add(ALL_FIELDS, message);
  }

  /** Throws BAD_REQUEST with `errors` when there are any: those of single fields first. */
  refuse(): void {
    const { [ALL_FIELDS]: ofAll, ...ofFields } = this.#errors;
    const errors = ofAll === undefined ? ofFields : { ...ofFields, [ALL_FIELDS]: ofAll };
    const [first] = Object.values(errors).flat();
    if (first !== undefined) throw new BadRequestError(first, { errors });
  }
}
