import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../format.ts'
import { chooseEncoding, type Encoding } from './compress-json.ts'

/** A complete page of the web, compressed once for each encoding when it is first requested. */
interface WebPage {
  readonly html: string
  readonly compressed: Map<Encoding, Promise<Buffer>>
}

/** The prerendered pages by path; every other address gets the shell. */
interface FilledPages {
  readonly shell: WebPage
  readonly byPath: ReadonlyMap<string, WebPage>
}

/** What the operator has set, as all pages show it. */
export interface Site {
  /** Which rendering of the public pages fits: the mode of sign-up, and whether there are plans, such as `open-on`. */
  readonly variant: string
  /** Texts by name: they take the place of `%name%`, and are the content of the `meta` element of that name. */
  readonly texts: Readonly<Record<string, string>>
  /** Further elements of the head. */
  readonly head: string
  /** The address of the icon, unless it is that of the product. */
  readonly icon?: string
  /** Whether pages other than the one for signing in show nothing until the program runs. */
  readonly isClosed: boolean
  /** Elements of the head for pages whose prerendered content isn't the operator's. They get the shell. */
  readonly ownPages: Readonly<Record<string, string>>
}

/** The status of the page at an address and the tags in its head, for link previews and search engines. */
export interface PageDescription {
  readonly status: 200 | 404 | 503
  readonly head: string
  readonly retryAfterSeconds?: number
}

/** The folder in `webDirectory` with the pages that the build prerendered. */
export const PAGES_FOLDER = 'pages'

const SIGN_IN = '/login'

/** The pages of the built web. They are filled anew when the operator's settings have changed. */
export class WebPages {
  readonly #folder: string
  readonly #files: readonly string[]
  readonly #shell: string
  readonly #readSite: () => Promise<Site>
  #filled: { readonly site: string; readonly pages: FilledPages } | undefined

  constructor(shell: string, folder: string, files: readonly string[], readSite: () => Promise<Site>) {
    this.#shell = shell
    this.#folder = folder
    this.#files = files
    this.#readSite = readSite
  }

  static async read(webDirectory: string, readSite: () => Promise<Site>): Promise<WebPages> {
    const folder = join(webDirectory, PAGES_FOLDER)
    const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith('.html'))
    const shell = await readFile(join(webDirectory, 'index.html'), 'utf8')
    return new WebPages(shell, folder, files, readSite)
  }

  /** Sends the page of the requested address in an encoding that the client accepts. */
  async send(request: FastifyRequest, reply: FastifyReply, description?: PageDescription): Promise<FastifyReply> {
    const path = request.url.replace(/[?#].*$/s, '')
    const { shell, byPath } = await this.#fill()
    const found = byPath.get(path) ?? shell
    const page = description?.head ? createPage(addToHead(found.html, description.head)) : found
    reply.status(description?.status ?? 200).type('text/html; charset=utf-8')
    if (description?.retryAfterSeconds) reply.header('retry-after', description.retryAfterSeconds)
    reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding' })
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (!encoding) return reply.send(page.html)
    const compressing = page.compressed.get(encoding) ?? compress(page.html, encoding)
    page.compressed.set(encoding, compressing)
    return reply.header('content-encoding', encoding).send(await compressing)
  }

  async #fill(): Promise<FilledPages> {
    const site = await this.#readSite().catch((error: unknown) => {
      // While the database is away, pages are as they were: they say what is wrong.
      if (this.#filled) return undefined
      throw error
    })
    const key = JSON.stringify(site)
    if (this.#filled && (site === undefined || this.#filled.site === key)) return this.#filled.pages
    const known = site as Site
    const shell = fillPage(this.#shell, known)
    const all = await this.#readPages(known.variant)
    const sources = all.filter(([path]) => !known.isClosed || path === SIGN_IN)
    const byPath = new Map(sources.map(([path, page]) => [path, createPage(fillPage(page, known))]))
    for (const [path, head] of Object.entries(known.ownPages)) byPath.set(path, createPage(addToHead(shell, head)))
    this.#filled = { site: key, pages: { shell: createPage(shell), byPath } }
    return this.#filled.pages
  }

  /** Reads the pages that the build made, by path: those of the variant if there are any, or else the default ones. */
  #readPages(variant: string): Promise<(readonly [path: string, page: string])[]> {
    const defaults = this.#files.filter((file) => !file.slice(0, -'.html'.length).includes('.'))
    const reading = defaults.map(async (file) => {
      const name = file.slice(0, -'.html'.length)
      const ofVariant = `${name}.${variant}.html`
      const chosen = this.#files.includes(ofVariant) ? ofVariant : file
      return [name === 'index' ? '/' : `/${name}`, await readFile(join(this.#folder, chosen), 'utf8')] as const
    })
    return Promise.all(reading)
  }
}

function createPage(html: string): WebPage {
  return { html, compressed: new Map() }
}

/** Fills the operator's settings into a page: into its head, and wherever they are shown. */
function fillPage(page: string, { texts, head, icon }: Site): string {
  const filled = page
    .replace(/(<meta name="(alcove-[a-z-]+)" content=")[^"]*/g, (tag, start: string, name: string) =>
      texts[name] === undefined ? tag : start + escapeHtml(texts[name]),
    )
    .replace(/%(alcove-[a-z-]+)%/g, (placeholder, name: string) =>
      texts[name] === undefined ? placeholder : escapeHtml(texts[name]),
    )
  const withIcon =
    icon === undefined
      ? filled
      : filled.replace(/<link rel="icon"[^>]*>/, `<link rel="icon" href="${icon}" type="image/png" />`)
  return head === '' ? withIcon : addToHead(withIcon, head)
}

function addToHead(html: string, head: string): string {
  return html.replace('</head>', () => `${head}</head>`)
}

function compress(page: string, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return promisify(gzip)(page)
  return promisify(brotliCompress)(page, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
}
