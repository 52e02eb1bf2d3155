import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createOpenApi } from '@alcove/contract/openapi'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'

/** Our page, its script, and the files that they use from Swagger UI; the rest of that package is not served. */
const FILES = new Set([
  '/',
  '/index.html',
  '/start.js',
  '/swagger-ui.css',
  '/swagger-ui-bundle.js',
  '/favicon-32x32.png',
])

/** Serves the API's description: OpenAPI at `openapi.json`, and a page to browse it at `docs`, which needs no internet. */
export async function docsRoutes(api: FastifyInstance, config: Config): Promise<void> {
  // Created on the first request: it is rarely needed and would slow down every start.
  let document: ReturnType<typeof createOpenApi> | undefined
  api.get('/openapi.json', async () => {
    document ??= createOpenApi(`${config.publicUrl}/api`)
    return document
  })
  api.get('/docs', async (_request, reply) => reply.redirect('/api/docs/'))
  await api.register(fastifyStatic, {
    // Our folder comes first, so that our page hides the package's own.
    root: [join(import.meta.dirname, 'docs'), dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist')))],
    prefix: '/docs/',
    decorateReply: false,
    allowedPath: (path) => FILES.has(path),
  })
}
