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

/** Lets the browser fetch the two fonts of the first screen at once, not only when the styles ask for them. */
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

/** Lays a compressed copy beside each script and style sheet, so that the server need not compress at every request. */
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
    // An inlined asset would be a data: address, which the page's policy does not allow for fonts.
    assetsInlineLimit: 0,
    // One style sheet: with one for each screen, the rules' order would depend on which screens were opened before.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        // What changes only with its version keeps its name, and so its place in the browser's cache, between releases.
        codeSplitting: {
          groups: [
            // With what all pages ask of it and nearly never changes, which the pictures would take along otherwise.
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|react-router)\/|\/src\/lib\/use-is-hydrated\./,
              priority: 1,
            },
            // What every screen needs is one file, not one for each place in which some of it is used again.
            { name: 'start', tags: ['$initial'] },
            // What floats over a page comes together with what else nearly every screen is made of.
            {
              name: 'menus',
              test: /@floating-ui\/|@tanstack\/(react-query|query-core)\/|@mantine\/core\/esm\/components\/(ActionIcon|Anchor|Menu|Popover|Portal|SegmentedControl|Skeleton|Text|Tooltip)\/|@mantine\/hooks\/esm\/use-(hotkeys|color-scheme)\//,
            },
            // Alone they would be files of a few hundred bytes, or lie in the file of a screen that another one then needs.
            { name: 'icons', test: /@tabler\/icons-react\//, minShareCount: 2 },
            { name: 'art', test: /\/src\/ui\/(ArtPage|art\/(niches|objects|Niche))\./ },
            { name: firstScreenGroup },
          ],
        },
      },
    },
  },
})
