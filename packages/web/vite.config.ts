import path from 'node:path';
import { defineConfig, type Rolldown } from 'vite';

const SERVICE_WORKER = 'push-worker';
const packages = path.resolve(import.meta.dirname, '..');

/** All browsers that run the client have this format of fonts; the others would only lie in the gateway's memory. */
const newestFontsOnly = {
  name: 'newest-fonts-only',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.endsWith('katex.min.css') ? code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("[a-z]+"\)/g, '') : null,
};

/** The page names the files of the whole client, so that browsers fetch them beside the first one. */
const preloadStart = {
  name: 'preload-start',
  transformIndexHtml: {
    order: 'post' as const,
    handler: (_page: string, { bundle = {} }: { bundle?: Rolldown.OutputBundle | undefined }) => {
      const files = new Set<string>();
      const include = (file: string): void => {
        const chunk = bundle[file];
        if (files.has(file) || chunk?.type !== 'chunk' || chunk.isEntry) return;
        files.add(file);
        chunk.imports.forEach(include);
      };
      for (const each of Object.values(bundle)) if (each.name === 'start') include(each.fileName);
      return [...files].map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/web/${file}` },
        injectTo: 'head' as const,
      }));
    },
  },
};

const ownLoading = path.resolve(import.meta.dirname, 'src/load-code.ts');

/** In place of Vite's helper around each import(). */
const loadCodeOurselves = {
  name: 'load-code-ourselves',
  enforce: 'pre' as const,
  load: (id: string) =>
    id === '\0vite/preload-helper.js'
      ? `export { loadCode as __vitePreload } from ${JSON.stringify(ownLoading)};`
      : null,
};

export default defineConfig({
  plugins: [newestFontsOnly, preloadStart, loadCodeOurselves],
  base: '/web/',
  // The sources of the packages that it shares with the services, so that only what is used comes along.
  resolve: {
    alias: [
      { find: /^@parley\/client-model\/(.*)$/, replacement: `${packages}/client-model/src/$1.ts` },
      { find: /^@parley\/shared\/(.*)$/, replacement: `${packages}/shared/src/$1/index.ts` },
    ],
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2022',
    // With `light-dark()`: for older browsers it would be made to follow the system only, not the theme that somebody chooses.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Images would become data: addresses otherwise, and the gateway's policy for scripts knows none.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    rolldownOptions: {
      input: { index: 'index.html', [SERVICE_WORKER]: 'src/push-worker.ts' },
      output: {
        // Browsers compare the service worker with the one they have, by its address.
        entryFileNames: ({ name }) => (name === SERVICE_WORKER ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  worker: { format: 'es' },
});
