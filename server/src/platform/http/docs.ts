import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createOpenApi } from '@alcove/contract/openapi'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'

/** Our page and its start, and what they take from Swagger UI; the rest of its package is not served. */
const FILES = new Set([
  '/',
  '/index.html',
  '/start.js',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/favicon-32x32.png',
])

/** The description of the API: OpenAPI at `openapi.json`, to be browsed at `docs`, without the internet. */
export async function docsRoutes(api: FastifyInstance, config: Config): Promise<void> {
  // Made when it is first asked for: few do, and it would take its time at every start.
  let document: ReturnType<typeof createOpenApi> | undefined
  api.get('/openapi.json', async () => {
    document ??= createOpenApi(`${config.publicUrl}/api`)
    return document
  })
  api.get('/docs', async (_request, reply) => reply.redirect('/api/docs/'))
  await api.register(fastifyStatic, {
    // Ours comes first, so that it stands before the package's own page.
    root: [join(import.meta.dirname, 'docs'), dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist')))],
    prefix: '/docs/',
    decorateReply: false,
    allowedPath: (path) => FILES.has(path),
  })
}
