import { nodesOf, type Plan, pagesReadIn, rowsOf } from '@parley/shared/testing';

/** Number of steps that the longest walk took. */
export function stepsIn(plans: readonly Plan[]): number {
  const walks = plans.flatMap(nodesOf).filter((node) => node['Node Type'] === 'Recursive Union');
  return Math.max(...walks.map((node) => node['Actual Rows'] - 1));
}

/** Number of pairs of rows that joins without an index compared in vain. */
export function pairsComparedIn(plans: readonly Plan[]): number {
  const nodes = plans.flatMap(nodesOf);
  return nodes.reduce((sum, node) => sum + (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops'], 0);
}

/** Number of messages read, by index; total number of pages read. */
export function messagesReadIn(plans: readonly Plan[]) {
  const nodes = plans.flatMap(nodesOf);
  const scans = nodes.filter((node) => node['Relation Name'] === 'message' && node['Actual Loops'] > 0);
  return {
    rows: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    types: scans.map((node) => node['Node Type']),
    indexes: new Set(nodes.flatMap((node) => node['Index Name'] ?? [])),
    pages: pagesReadIn(plans),
  };
}
