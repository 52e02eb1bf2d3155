import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'

const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/** Files that a PDF may need: Asian encodings, the standard fonts, decoders of rare image formats. */
const wanted: Record<string, RegExp> = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(pfb|ttf)$/,
  wasm: /_nowasm_fallback\.js$/,
}

/** Copies the files that pdf.js fetches on demand into the build, in a folder with its version. */
export function pdfjsFiles(): Plugin {
  return {
    name: 'pdfjs-files',
    async generateBundle() {
      const { folder, files } = await listFiles()
      for (const path of files) {
        this.emitFile({ type: 'asset', fileName: folder + path, source: await readFile(join(home, path)) })
      }
    },
    async configureServer({ middlewares }) {
      const { folder, files } = await listFiles()
      middlewares.use(`/${folder}`, (request, response, next) => {
        const path = (request.url ?? '').replace(/^\/|\?.*$/g, '')
        if (!files.includes(path)) return next()
        if (path.endsWith('.js')) response.setHeader('content-type', 'text/javascript')
        createReadStream(join(home, path)).pipe(response)
      })
    },
  }
}

async function listFiles(): Promise<{ folder: string; files: string[] }> {
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as { version: string }
  const listed = Object.entries(wanted).map(async ([name, isWanted]) =>
    (await readdir(join(home, name))).filter((file) => isWanted.test(file)).map((file) => `${name}/${file}`),
  )
  return { folder: `assets/pdfjs-${version}/`, files: (await Promise.all(listed)).flat() }
}
