import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chooseEncoding, type Encoding } from './compress-json.ts'

/** A complete page of the web, compressed once for each encoding when it is first requested. */
interface WebPage {
  readonly html: string
  readonly compressed: Map<Encoding, Promise<Buffer>>
}

/** The prerendered pages by path; every other address gets the shell. */
export interface WebPages {
  readonly shell: WebPage
  readonly byPath: ReadonlyMap<string, WebPage>
}

/** The status of the page at an address and the tags in its head, for link previews and search engines. */
export interface PageDescription {
  readonly status: 200 | 404
  readonly head: string
}

/** The folder in `webDirectory` with the pages that the build prerendered. */
export const PAGES_FOLDER = 'pages'

/** Reads the pages of the built web. `fill` inserts the operator's settings. */
export async function readWebPages(webDirectory: string, fill: (page: string) => string): Promise<WebPages> {
  const read = async (path: string): Promise<WebPage> => ({
    html: fill(await readFile(join(webDirectory, path), 'utf8')),
    compressed: new Map(),
  })
  const files = (await readdir(join(webDirectory, PAGES_FOLDER)).catch(() => [])).filter((name) => /\.html$/.test(name))
  const entries = files.map(async (file) => {
    const name = file.slice(0, -'.html'.length)
    return [name === 'index' ? '/' : `/${name}`, await read(join(PAGES_FOLDER, file))] as const
  })
  return { shell: await read('index.html'), byPath: new Map(await Promise.all(entries)) }
}

/** Sends the page of the requested address in an encoding that the client accepts. */
export async function sendWebPage(
  request: FastifyRequest,
  reply: FastifyReply,
  pages: WebPages,
  description?: PageDescription,
): Promise<FastifyReply> {
  const path = request.url.replace(/[?#].*$/s, '')
  const found = pages.byPath.get(path) ?? pages.shell
  const page = description?.head ? addToHead(found, description.head) : found
  reply.status(description?.status ?? 200).type('text/html; charset=utf-8')
  reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' })
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  if (!encoding) return reply.send(page.html)
  const compressing = page.compressed.get(encoding) ?? compress(page.html, encoding)
  page.compressed.set(encoding, compressing)
  return reply.header('content-encoding', encoding).send(await compressing)
}

/** Creates a page for one address, which shares no compressed copy with others. */
function addToHead({ html }: WebPage, head: string): WebPage {
  return { html: html.replace('</head>', () => `${head}</head>`), compressed: new Map() }
}

function compress(page: string, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(page)
  return promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
}
