import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { describeDuration } from '../describe-duration.ts'
import { escapeHtml } from '../escape-html.ts'

const DECRYPTOR = 'open-vault-file.html'

/** Serves the built web: its files as they are, and its one page at every address that is a screen's. */
export async function serveWeb(
  app: FastifyInstance,
  config: Config,
  webDirectory: string | undefined,
  hasVideoThumbnails: boolean,
): Promise<void> {
  const isBuilt = webDirectory !== undefined && existsSync(webDirectory)
  const page = isBuilt ? await readPage(webDirectory, config, hasVideoThumbnails) : undefined
  if (webDirectory && page !== undefined) {
    await app.register(fastifyStatic, {
      root: webDirectory,
      index: false,
      wildcard: false,
      preCompressed: true,
      setHeaders: (response, path) => {
        // Built files carry a hash of their content in their name: another content has another name.
        const isHashed = path.includes('/assets/')
        response.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
        // Its script lies in the page itself, which must work from a disk; here none such runs, so it is for saving.
        if (path.endsWith(DECRYPTOR)) response.header('content-disposition', `attachment; filename="${DECRYPTOR}"`)
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    const isForPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
    if (page === undefined || !isForPage || request.url.startsWith('/api/')) {
      throw new AppError('not_found', 'There is nothing at this address.')
    }
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page)
  })
}

/** The page, told what the operator has set, and what the server can do. */
async function readPage(webDirectory: string, config: Config, hasVideoThumbnails: boolean): Promise<string> {
  const page = await readFile(join(webDirectory, 'index.html'), 'utf8')
  const told = {
    'alcove-support-email': config.supportEmail,
    'alcove-backup-retention': config.backupRetention,
    'alcove-trash-retention': describeDuration(config.trashRetention),
    'alcove-video-thumbnails': hasVideoThumbnails ? 'yes' : 'no',
  }
  return Object.entries(told).reduce((text, [name, content]) => setMeta(text, name, content), page)
}

function setMeta(page: string, name: string, content: string): string {
  return page.replace(
    new RegExp(`(<meta name="${name}" content=")[^"]*`),
    (_match, head: string) => head + escapeHtml(content),
  )
}
