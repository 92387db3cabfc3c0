/** A Kubernetes object, or a part of one, as its YAML says it. */
// biome-ignore lint/suspicious/noExplicitAny: manifests are validated against the Kubernetes schemas, not against types.
export type Tree = Record<string, any>;

export interface Manifest extends Tree {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
}

export type Labels = Readonly<Record<string, string>>;

export interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}

export const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

/** Whether it makes pods. */
export const isWorkload = ({ kind }: Manifest): boolean => ['Deployment', 'StatefulSet', 'Job'].includes(kind);

/** Whether labels are what a selector asks for; an empty one asks for nothing. */
export function selects({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels = {}): boolean {
  const hasAll = Object.entries(matchLabels).every(([key, value]) => labels[key] === value);
  return hasAll && matchExpressions.every((expression) => holds(expression, labels));
}

function holds({ key, operator, values }: { key: string; operator: string; values: string[] }, labels: Labels) {
  if (operator !== 'In') throw new Error(`no rule here uses ${operator}`);
  return values.includes(labels[key] as string);
}
