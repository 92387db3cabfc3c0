const hosts = new Set([
  'm.youtube.com',
  'www.youtube.com',
  'www.youtube-nocookie.com',
  'youtube.com',
  'youtube-nocookie.com',
]);

/** The id of the film that an address leads to; null for any other address. */
export function youtubeId(url: URL): string | null {
  const id =
    url.hostname === 'youtu.be' ? url.pathname.slice(1) : hosts.has(url.hostname) ? idAtYoutube(url) : undefined;
  return id !== undefined && /^[\w-]+$/.test(id) ? id : null;
}

function idAtYoutube({ pathname, searchParams }: URL): string | undefined {
  if (pathname === '/watch' || pathname === '/watch_popup') return searchParams.get('v') ?? undefined;
  if (pathname === '/watch_videos') return searchParams.get('video_ids')?.split(',', 1)[0];
  return /^\/(?:embed|shorts|v)\/([^/]*)/.exec(pathname)?.[1];
}
