import { isWorkload, type Labels, type Manifest, type Selector, selects, type Tree } from './manifest';

/** Whether the network policies let a pod, or a client outside (null), open a connection to a pod's port. */
export function mayReach(manifests: Manifest[], from: string | null, to: string, port: number): boolean {
  const [source, target] = [from === null ? null : podLabels(manifests, from), podLabels(manifests, to)];
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as Tree);
  const lets = (direction: 'ingress' | 'egress', pod: Labels, peer: Labels | null) => {
    const type = direction === 'ingress' ? 'Ingress' : 'Egress';
    const own = policies.filter((each) => each['policyTypes'].includes(type) && selects(each['podSelector'], pod));
    const rules: Tree[] = own.flatMap((each) => each[direction] ?? []);
    const peersOf = (rule: Tree): Tree[] | undefined => rule[direction === 'ingress' ? 'from' : 'to'];
    return own.length === 0 || rules.some((rule) => namesPort(rule, port) && namesPeer(peersOf(rule), peer));
  };
  return (source === null || lets('egress', source, target)) && lets('ingress', target, source);
}

function podLabels(manifests: Manifest[], name: string): Labels {
  const workload = manifests.find((each) => isWorkload(each) && each.metadata.name === name);
  if (!workload) throw new Error(`there is no ${name}`);
  return workload['spec'].template.metadata.labels;
}

function namesPort({ ports }: Tree, port: number): boolean {
  return ports === undefined || (ports as Tree[]).some((each) => each['port'] === port);
}

function namesPeer(peers: Tree[] | undefined, peer: Labels | null): boolean {
  if (peers === undefined) return true;
  // Peers in other namespaces, and blocks of addresses, name no pod of this one.
  const selectors = peers.filter((each) => each['podSelector'] && !each['namespaceSelector']);
  return peer !== null && selectors.some((each) => selects(each['podSelector'] as Selector, peer));
}
