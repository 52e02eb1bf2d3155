import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { nothingHere } from '../../errors.ts'
import { PAGES_FOLDER, type PageDescription, type Site, WebPages } from './web-pages.ts'

/** The folder of built files whose names contain a hash. */
const ASSETS = 'assets'
const DECRYPTOR = 'open-vault-file.html'

/** Serves the built web: its files, and a page at every address of a screen. */
export async function serveWeb(
  app: FastifyInstance,
  webDirectory: string | undefined,
  readSite: () => Promise<Site>,
  describePage?: (path: string, ip: string) => Promise<PageDescription | undefined>,
): Promise<void> {
  const isBuilt = webDirectory !== undefined && existsSync(webDirectory)
  const pages = isBuilt ? await WebPages.read(webDirectory, readSite) : undefined
  if (webDirectory && pages !== undefined) {
    // One route for the many hashed files. The few others have a route each, because pages have addresses beside them.
    await app.register(fastifyStatic, {
      root: join(webDirectory, ASSETS),
      prefix: `/${ASSETS}/`,
      index: false,
      preCompressed: true,
      // The names of these files contain a hash of their content.
      setHeaders: (response) => response.header('cache-control', 'public, max-age=31536000, immutable'),
    })
    await app.register(fastifyStatic, {
      root: webDirectory,
      index: false,
      wildcard: false,
      globIgnore: [`${ASSETS}/**`, `${PAGES_FOLDER}/**`],
      preCompressed: true,
      decorateReply: false,
      setHeaders: (response, path) => {
        response.header('cache-control', 'no-cache')
        // This page must work from a disk, so its script is inline. Our policy forbids inline scripts, so it can only be saved.
        if (path.endsWith(DECRYPTOR)) response.header('content-disposition', `attachment; filename="${DECRYPTOR}"`)
      },
    })
  }
  // For password managers (https://w3c.github.io/webappsec-change-password-url).
  app.get('/.well-known/change-password', (_request, reply) => reply.redirect('/account', 302))
  // No body is read at an unknown address.
  app.addHook('onRequest', async (request) => {
    if (request.is404 && request.method !== 'GET' && request.method !== 'HEAD') throw nothingHere()
  })
  app.setNotFoundHandler(async (request, reply) => {
    if (pages === undefined || !isForPage(request)) {
      throw nothingHere()
    }
    const description = await describePage?.(pathOf(request.url), request.ip)
    return pages.send(request, reply, description)
  })
}

/**
 * Returns whether a request gets a page: at every address that isn't a file's or reserved for programs, unless the client excludes
 * HTML. A browser that navigates to a file's address gets the page too.
 */
function isForPage({ method, url, headers: { accept } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  const path = pathOf(url)
  if (/^\/(api|assets|metrics|\.well-known)(\/|$)/.test(path)) return false
  if (accept?.includes('text/html')) return true
  const isFile = /\.\w+$/.test(path) && !path.startsWith('/s/')
  return !isFile && acceptsHtml(accept)
}

/** Implements RFC 9110, section 12.5.1: without the header everything is accepted; a weight of 0 excludes a type. */
function acceptsHtml(accept = '*/*'): boolean {
  const ranges = accept.split(',').map((range) => range.trim().toLowerCase())
  return ranges.some((range) => /^(\*\/\*|text\/\*)($|[\s;])/.test(range) && !/;\s*q=0(\.0*)?$/.test(range))
}

function pathOf(url: string): string {
  return url.replace(/[?#].*$/s, '')
}
