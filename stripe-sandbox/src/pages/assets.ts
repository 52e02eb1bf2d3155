import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'

const own = (name: string) => fileURLToPath(new URL(`assets/${name}`, import.meta.url))

const files: Readonly<Record<string, { path: string; type: string }>> = {
  'pages.css': { path: own('pages.css'), type: 'text/css; charset=utf-8' },
  'pages.js': { path: own('pages.js'), type: 'text/javascript; charset=utf-8' },
  'color-scheme.js': { path: own('color-scheme.js'), type: 'text/javascript; charset=utf-8' },
  'hanken-grotesk-latin.woff2': font(
    fileURLToPath(
      import.meta.resolve('@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2'),
    ),
  ),
  'hanken-grotesk-latin-ext.woff2': font(
    fileURLToPath(
      import.meta.resolve('@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-ext-wght-normal.woff2'),
    ),
  ),
  'young-serif-latin.woff2': font(
    fileURLToPath(import.meta.resolve('@fontsource/young-serif/files/young-serif-latin-400-normal.woff2')),
  ),
  'young-serif-latin-ext.woff2': font(
    fileURLToPath(import.meta.resolve('@fontsource/young-serif/files/young-serif-latin-ext-400-normal.woff2')),
  ),
}

function font(path: string): { path: string; type: string } {
  return { path, type: 'font/woff2' }
}

/** The pages' style, script and fonts, read when they are first asked for. */
export function assetRoutes(app: FastifyInstance): void {
  for (const [name, { path, type }] of Object.entries(files)) {
    let bytes: Buffer | undefined
    app.get(`/assets/${name}`, async (_request, reply) => {
      bytes ??= readFileSync(path)
      return reply.type(type).header('cache-control', 'max-age=300').send(bytes)
    })
  }
}
