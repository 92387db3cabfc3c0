const maxPaths = 100;
const named = /user_uploads\/(\d{1,15}\/[0-9a-f]{1,2}\/[\w-]{24}\/[\p{L}\p{N}_.%-]{1,600})/gu;
const address = /^\/?user_uploads\/(\d{1,15}\/[0-9a-f]{1,2}\/[\w-]{24}\/[^/?#\\]{1,600})$/u;

/** The path id of the uploaded file to which a link inside the organization leads; null for other links. */
export function uploadPathOf(href: string): string | null {
  const path = address.exec(href)?.[1];
  return path === undefined ? null : decoded(path);
}

/** All path ids that a content may name, each once, up to the limit. */
export function findUploadPaths(content: string): string[] {
  if (!content.includes('user_uploads/')) return [];
  const paths = [...content.matchAll(named)].flatMap(([, path = '']) => {
    // A full stop at the end may belong to the sentence.
    const withoutStop = path.replace(/\.+$/, '');
    return [decoded(path), decoded(withoutStop)].filter((found) => found !== null);
  });
  return [...new Set(paths)].slice(0, maxPaths);
}

function decoded(path: string): string | null {
  try {
    const text = decodeURIComponent(path);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
