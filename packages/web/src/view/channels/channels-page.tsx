export function ChannelsPage({ path }: { path: readonly string[] }) {
  return <p class="notice">{path.join(' ')}</p>;
}
