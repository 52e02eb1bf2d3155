import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstScreenGroup } from './chunk-groups.ts'
import { contractCalls } from './contract-calls.ts'
import { firstLookScript } from './first-look-script.ts'
import { pdfjsFiles } from './pdfjs-files.ts'
import { buildYear, prerenderPages } from './prerender-pages.ts'
import { purgeStyles } from './purge-styles.ts'
import { unusedParts } from './unused-parts.ts'

/** Preloads the two fonts of the first screen. */
function preloadFonts(): Plugin {
  const isPreloaded = (file: string) => /(hanken-grotesk-latin-wght|young-serif-latin-400)-normal-.*\.woff2$/.test(file)
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter(isPreloaded)
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}

/** Writes a compressed copy of each script and style sheet, so that the server doesn't compress for each request. */
function compressAssets(): Plugin {
  const encodings = { br: promisify(brotliCompress), gz: promisify(gzip) }
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (!dir) return
      for (const file of Object.keys(bundle).filter((name) => /\.(m?js|css)$/.test(name))) {
        const path = join(dir, file)
        const content = await readFile(path)
        for (const [extension, compress] of Object.entries(encodings)) {
          await writeFile(`${path}.${extension}`, await compress(content))
        }
      }
    },
  }
}

export default defineConfig({
  define: buildYear,
  plugins: [
    react(),
    contractCalls(),
    unusedParts(),
    preloadFonts(),
    pdfjsFiles(),
    purgeStyles(),
    firstLookScript(),
    compressAssets(),
    prerenderPages(),
  ],
  server: {
    proxy: {
      '/api': 'http://localhost:5100',
      '/outbox': 'http://localhost:5100',
      '/stripe-sandbox': 'http://localhost:5100',
    },
  },
  build: {
    sourcemap: false,
    // An inlined asset would be a data: URL, which the Content Security Policy forbids for fonts.
    assetsInlineLimit: 0,
    // One style sheet. With one per page, the order of the rules would depend on which pages were opened before.
    cssCodeSplit: false,
    // All supported browsers preload modules by themselves. For older ones, it is only a hint.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Chunks of libraries change only with their version, so browsers keep them cached between releases.
        codeSplitting: {
          groups: [
            // Includes `use-is-hydrated`, which would otherwise be in the chunk of the pictures.
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|react-router)\/|\/src\/lib\/use-is-hydrated\./,
              priority: 1,
            },
            // Everything that each page needs is one chunk.
            { name: 'start', tags: ['$initial'] },
            // Components that float over a page, and others that nearly every page uses.
            {
              name: 'menus',
              test: /@floating-ui\/|@tanstack\/(react-query|query-core)\/|@mantine\/core\/esm\/components\/(ActionIcon|Anchor|CloseButton|Menu|Popover|Portal|SegmentedControl|Skeleton|Text|Tooltip)\/|@mantine\/hooks\/esm\/use-(hotkeys|color-scheme)\//,
            },
            {
              name: 'fields',
              test: /@mantine\/core\/esm\/(components\/(Input|InputBase|TextInput)\/|core\/.*\/get-auto-contrast-value\/)/,
            },
            // Separately they would be chunks of a few hundred bytes, or be in the chunk of another page.
            { name: 'icons', test: /@tabler\/icons-react\//, minShareCount: 2 },
            {
              name: 'art',
              test: /\/src\/(ui\/(ArtPage|Notice|art\/(niches|objects))|api\/use-(call|pending-value)|lib\/sign-up)\.|contract\/src\/sign-up-modes\./,
            },
            // In this order, because a chunk also takes what its modules import.
            ...(['common', 'transfers', 'files'] as const).map((name) => ({ name: firstScreenGroup(name) })),
            // Small modules that pages and dialogs share. Each chunk of its own would add its name to the first screen.
            {
              name: 'app-passwords',
              test: /\/app-passwords\/(CopyValue|app-password-texts|created-app-password|queries)\./,
            },
            { name: 'more-calls', test: /contract\/src\/(locks|notices|profile|site)\./ },
            // Features, pages and the offers of more space share them.
            { name: 'plans', test: /\/src\/(api\/plans-on-sale|lib\/prices)\./ },
            // The landing page needs it too, and must not load the chunk of the sign-in page for it.
            { name: 'notice', test: /\/src\/ui\/Notice\./ },
            {
              name: 'sign-in',
              // Other pages need what these import too.
              includeDependenciesRecursively: false,
              test: /\/accounts\/(failure-text|two-factor\/CodeField|sign-in\/(LoginCodeForm|LoginForm\.module|finish-login))\.|\/single-sign-on\/(queries|go-to-provider|ProviderSignIn|OnlyProviders)\.|contract\/src\/single-sign-on\./,
            },
          ],
        },
      },
    },
  },
})
