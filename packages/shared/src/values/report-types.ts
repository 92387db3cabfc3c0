/** Why somebody reports a message, by key, with what people read; in the order of the menu. */
export const REPORT_TYPES = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
} as const;

export type ReportType = keyof typeof REPORT_TYPES;

export const REPORT_TYPE_KEYS = Object.keys(REPORT_TYPES) as ReportType[];
