const UNIQUE_VIOLATION = '23505';

/** Whether a write failed because another row holds the same value already; `constraint` is its name in the migrations. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: violated } = error as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && violated === constraint;
}
