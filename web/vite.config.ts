// How the panel is built: base /panel/, hashed files under assets/, nothing inline (the content policy allows only our own files).
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import sharp from 'sharp';
import { defineConfig, type Plugin } from 'vite';

const web = import.meta.dirname;
const project = `${web}/..`;
const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** The blocking script that runs before the first paint, under a name of its own content. */
function startScript(): Plugin {
  const source = readFileSync(`${web}/src/start.js`, 'utf8');
  const fileName = `assets/start-${sha256(source).slice(0, 8)}.js`;
  return {
    name: 'start-script',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    configureServer(server) {
      server.middlewares.use(`/panel/${fileName}`, (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript');
        response.end(source);
      });
    },
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: `/panel/${fileName}` }, injectTo: 'head-prepend' }],
  };
}

/** What a browser needs to install the panel: its name, and its icons in the sizes that home screens ask for. */
function installable(): Plugin {
  const mark = readFileSync(`${web}/src/style/mark.svg`);
  const iconName = (size: number) => `assets/icon-${size}-${sha256(mark).slice(0, 8)}.png`;
  const sizes = [192, 512];
  const manifest = JSON.stringify({
    id: '/panel/',
    name: 'Galeri',
    short_name: 'Galeri',
    start_url: '/panel/',
    scope: '/panel/',
    display: 'standalone',
    background_color: '#f7f8fa',
    theme_color: '#1d4ed8',
    icons: sizes.map((size) => ({ src: `/panel/${iconName(size)}`, sizes: `${size}x${size}`, type: 'image/png' })),
  });
  const manifestName = `assets/panel-${sha256(manifest).slice(0, 8)}.webmanifest`;
  return {
    name: 'installable',
    apply: 'build',
    async generateBundle() {
      for (const size of sizes) {
        const source = await sharp(mark, { density: (72 * size) / 32 })
          .resize(size, size)
          .png()
          .toBuffer();
        this.emitFile({ type: 'asset', fileName: iconName(size), source });
      }
      this.emitFile({ type: 'asset', fileName: manifestName, source: manifest });
    },
    transformIndexHtml: () => [
      { tag: 'link', attrs: { rel: 'manifest', href: `/panel/${manifestName}` }, injectTo: 'head' as const },
      { tag: 'link', attrs: { rel: 'apple-touch-icon', href: `/panel/${iconName(192)}` }, injectTo: 'head' as const },
      { tag: 'meta', attrs: { name: 'theme-color', content: '#1d4ed8' }, injectTo: 'head' as const },
    ],
  };
}

/** The letters of the first screen are fetched together with its code, not after its styles. */
function fontPreload(): Plugin {
  return {
    name: 'font-preload',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => /geist-latin(-ext)?-wght-normal.*\.woff2$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/panel/${name}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** Which sources went into the build, with their hashes: `serve` says so when they have changed since. */
function sourceRecord(): Plugin {
  return {
    name: 'source-record',
    apply: 'build',
    generateBundle() {
      const paths = [
        ...this.getModuleIds(),
        `${web}/index.html`,
        `${web}/vite.config.ts`,
        `${web}/src/start.js`,
        `${web}/src/screens/vehicle-media/photo-worker.ts`,
      ]
        .map((id) => id.replace(/\?.*$/, ''))
        .filter((id) => id.startsWith('/') && !id.includes('/node_modules/'));
      const sources = Object.fromEntries(
        [...new Set(paths.map((path) => relative(project, path)))]
          .filter((path) => !path.startsWith('..'))
          .sort()
          .map((path) => [path, sha256(readFileSync(`${project}/${path}`))]),
      );
      this.emitFile({ type: 'asset', fileName: 'sources.json', source: JSON.stringify(sources, null, 1) });
    },
  };
}

const SERVER = 'http://127.0.0.1:3000';
const SERVER_PAGES = [
  '/panel/api',
  '/panel/giris',
  '/panel/cikis',
  '/panel/parola-sifirla',
  '/panel/davet',
  '/panel/2fa',
  '/api',
  '/files',
];

/** A file of what many screens share, and of nothing that it rests on. */
const shared = (name: string, test: RegExp) => ({ name, test, includeDependenciesRecursively: false });

export default defineConfig({
  root: web,
  base: '/panel/',
  publicDir: false,
  plugins: [react(), tailwind(), startScript(), fontPreload(), installable(), sourceRecord()],
  build: {
    outDir: `${project}/dist/panel`,
    emptyOutDir: true,
    target: 'baseline-widely-available',
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The lists of what every screen needs weigh 5 kB in the first one. Screens are fetched when a link is pointed at; styles must still come with them.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'html' ? files : files.filter((name) => name.endsWith('.css')),
    },
    manifest: 'manifest.json',
    reportCompressedSize: false,
    // What counts is the compressed size, which test/web/budget.test.ts holds.
    chunkSizeWarningLimit: 1000,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What the first screen needs anyway is one file: in many small ones it would weigh more, and come in more trips.
          groups: [
            // What lists, forms and layers are made of is needed by nearly every other screen: five files instead of forty. None of it may be
            // used by the first file, which would then wait for itself.
            shared(
              'layers',
              /\/web\/src\/(parts\/overlay\/(dialog|toast|confirm-dialog)\.tsx|fold\.ts)$|\/@base-ui\/react\/((alert-)?(dialog|toast)\/|.*(InternalBackdrop|useSwipeDismiss|useAnchoredPopupScrollLock)\.)/,
            ),
            shared(
              'lists',
              /\/web\/src\/(parts\/(input\/choice-chips|overlay\/row-menu-button|page\/loaded|table\/(list-empty|pagination|saved-views|table)|outside-link)\.tsx|texts\/views\.ts|download\.ts)$|\/lucide-react\/.*\/(arrow-down|arrow-up|ban|sliders-horizontal|calendar-days|chevron-left|info|send|ellipsis|eye-off|hand-coins|refresh-cw|settings-2|shield|undo-2|user-plus|user-round)\.m?js$/,
            ),
            shared(
              'forms',
              /\/web\/src\/parts\/(form\/.*|input\/(choices|error-summary)|page\/facts)\.tsx?$|\/useBlocker\.|\/src\/kit\/(clock|money)\.ts$|\/number-text\.ts$/,
            ),
            shared(
              'records',
              /\/web\/src\/records\/(customers\/(contact|customer-texts|customers)|documents\/paper-store|sales\/sales|vehicles\/(vehicle-texts|vehicles)|branches)\.tsx?$|\/phone-text\.ts$/,
            ),
            shared(
              'car-pictures',
              /\/web\/src\/records\/vehicles\/(car-thumb|drawn-car)\.tsx$|\/lucide-react\/.*\/car-front\.m?js$/,
            ),
            shared(
              'record-words',
              /\/web\/src\/(currencies|records\/amounts)\.ts$|\/src\/domain\/(formats\/fold-text|stock\/vehicle-words)\.ts$/,
            ),
            shared('import-steps', /\/web\/src\/screens\/imports\/(step|questions)\.tsx?$|\/domain\/imports\/head-currency\.ts$/),
            shared(
              'icons',
              /\/lucide-react\/.*\/(arrow-left|bell-ring|chevron-right|circle-alert|circle-exclamation-point|download|plus|rotate-ccw)\.m?js$/,
            ),
            {
              name: 'first',
              test: /\/web\/src\/(parts\/(badges|button|cx|figure|values|input\/field|page\/(panel-link|states)|table\/(filters|row-keys))|session|language)\.tsx?$|\/stock-states\.ts$|\/identity\/roles\.ts$|\/react-store\/|\/query-core\/.*\/mutation\.js$|\/react-query\/.*\/useMutation\.js$|\/domain\/catalog\/catalog\.ts$|\/@base-ui\/(utils\/|react\/(floating-ui-react\/(components|utils)|internals\/(composite|use-button)|toolbar)\/)/,
            },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(SERVER_PAGES.map((path) => [path, { target: SERVER, changeOrigin: true }])),
  },
});
