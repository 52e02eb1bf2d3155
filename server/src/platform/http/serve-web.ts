import { existsSync } from 'node:fs'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { describeDuration } from '../describe-duration.ts'
import { escapeHtml } from '../escape-html.ts'
import { PAGES_FOLDER, readWebPages, sendWebPage } from './web-pages.ts'

const DECRYPTOR = 'open-vault-file.html'

/** Serves the built web: its files as they are, and its one page at every address that is a screen's. */
export async function serveWeb(
  app: FastifyInstance,
  config: Config,
  webDirectory: string | undefined,
  hasVideoThumbnails: boolean,
): Promise<void> {
  const isBuilt = webDirectory !== undefined && existsSync(webDirectory)
  const pages = isBuilt
    ? await readWebPages(webDirectory, (page) => fillPage(page, config, hasVideoThumbnails))
    : undefined
  if (webDirectory && pages !== undefined) {
    await app.register(fastifyStatic, {
      root: webDirectory,
      index: false,
      wildcard: false,
      globIgnore: [`${PAGES_FOLDER}/**`],
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
    if (pages === undefined || !isForPage || request.url.startsWith('/api/')) {
      throw new AppError('not_found', 'There is nothing at this address.')
    }
    return sendWebPage(request, reply, pages)
  })
}

/** Writes into a page what the operator has set, and what the server can do: into its head, and wherever it is shown. */
function fillPage(page: string, config: Config, hasVideoThumbnails: boolean): string {
  const told = {
    'alcove-support-email': config.supportEmail,
    'alcove-backup-retention': config.backupRetention,
    'alcove-trash-retention': describeDuration(config.trashRetention),
    'alcove-video-thumbnails': hasVideoThumbnails ? 'yes' : 'no',
  }
  return Object.entries(told).reduce(
    (text, [name, content]) => setMeta(text, name, content).replaceAll(`%${name}%`, () => escapeHtml(content)),
    page,
  )
}

function setMeta(page: string, name: string, content: string): string {
  return page.replace(
    new RegExp(`(<meta name="${name}" content=")[^"]*`),
    (_match, head: string) => head + escapeHtml(content),
  )
}
