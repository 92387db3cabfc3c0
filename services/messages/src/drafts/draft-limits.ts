// SPEC-GAP: the documents bound neither the number nor the size of drafts; all of them are answered at once.
export const DRAFT_LIMITS = {
  /** At one user's. */
  count: 5_000,
  /** In all of them together, in code points. */
  characters: 10_000_000,
  perRequest: 500,
  inRegister: 1_000,
} as const;
