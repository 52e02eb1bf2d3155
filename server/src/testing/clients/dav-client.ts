import { createAppPassword } from '@alcove/contract/app-passwords'
import type { Scope } from '@alcove/contract/call'
import type { FastifyInstance } from 'fastify'
import { SaxesParser } from 'saxes'
import type { TestUser } from '../factories/users.ts'

export interface DavResponse {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  text: string
  bytes: Buffer
}

interface DavOptions {
  headers?: Record<string, string>
  body?: string | Buffer
}

/** What a multistatus response says about one resource: the status and the value of each property, as XML. */
export interface DavResource {
  href: string
  props: Record<string, { status: number; value: string }>
}

/** Sends WebDAV requests to the app, with an app password. Paths are relative to `/dav/`, and encoded by the caller. */
export class DavClient {
  readonly #app: FastifyInstance
  readonly #authorization: string

  constructor(app: FastifyInstance, email: string, secret: string) {
    this.#app = app
    this.#authorization = `Basic ${Buffer.from(`${email}:${secret}`).toString('base64')}`
  }

  get authorization(): string {
    return this.#authorization
  }

  /** Sends a request to a path below `/dav/`, or to any path that begins with a slash. */
  async send(method: string, path: string, { headers = {}, body }: DavOptions = {}): Promise<DavResponse> {
    const response = await this.#app.inject({
      method: method as 'GET',
      url: path.startsWith('/') ? path : `/dav/${path}`,
      headers: { authorization: this.#authorization, ...headers },
      ...(body !== undefined && { payload: body }),
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      bytes: response.rawPayload,
    }
  }

  async put(path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<DavResponse> {
    return this.send('PUT', path, { body, headers })
  }

  async propfind(path: string, depth: string, body?: string, headers = {}): Promise<DavResource[]> {
    const response = await this.send('PROPFIND', path, { headers: { depth, ...headers }, ...(body && { body }) })
    if (response.status !== 207) throw new Error(`PROPFIND ${path}: ${response.status} ${response.text}`)
    return readMultistatus(response.text)
  }

  /** Returns the decoded last names of what a folder contains, in the order of the response. */
  async names(path: string): Promise<string[]> {
    const [, ...inside] = await this.propfind(path, '1')
    return inside.map(({ href }) => decodeURIComponent(href.replace(/\/$/, '').replace(/^.*\//, '')))
  }

  /** Locks a resource. Returns the response and the token. */
  async lock(
    path: string,
    { scope = 'exclusive', headers = {} }: { scope?: string; headers?: Record<string, string> } = {},
  ): Promise<DavResponse & { token: string }> {
    const body = `<?xml version="1.0"?><D:lockinfo xmlns:D="DAV:"><D:lockscope><D:${scope}/></D:lockscope><D:locktype><D:write/></D:locktype><D:owner><D:href>mailto:me@example.com</D:href></D:owner></D:lockinfo>`
    const response = await this.send('LOCK', path, { body, headers })
    return { ...response, token: /<(.*)>/.exec(String(response.headers['lock-token']))?.[1] ?? '' }
  }
}

/** Creates a client with a new app password of the user. */
export async function createDavClient(
  app: FastifyInstance,
  user: TestUser,
  settings: { scope?: Scope; folderId?: string | null } = {},
): Promise<DavClient> {
  const { scope = 'write', folderId = null } = settings
  const { body } = await user.client.call(createAppPassword, { name: 'test', scope, folderId })
  return new DavClient(app, user.email, body.secret)
}

/** Reads a multistatus response. Property names in `DAV:` are written as they are, others as `{namespace}name`. */
export function readMultistatus(text: string): DavResource[] {
  const parser = new SaxesParser({ xmlns: true })
  const resources: DavResource[] = []
  const open: string[] = []
  let group: Record<string, string> = {}
  let current = ''
  let content = ''
  parser.on('opentag', ({ uri, local, isSelfClosing, attributes }) => {
    open.push(local)
    if (local === 'response' && uri === 'DAV:') resources.push({ href: '', props: {} })
    else if (open.length === 4 && local === 'prop') group = {}
    else if (open.length === 5 && open[3] === 'prop') {
      current = uri === 'DAV:' ? local : `{${uri}}${local}`
      content = ''
    } else if (open.length > 5) {
      const given = Object.values(attributes).filter(({ name }) => !name.startsWith('xmlns'))
      const written = given.map(({ name, value }) => ` ${name}="${value}"`).join('')
      content += `<${uri === 'DAV:' ? '' : `{${uri}}`}${local}${written}${isSelfClosing ? '/' : ''}>`
    } else content = ''
  })
  parser.on('text', (part) => {
    content += part
  })
  parser.on('closetag', ({ uri, local, isSelfClosing }) => {
    const resource = resources.at(-1)
    if (open.length === 5 && open[3] === 'prop') group[current] = content
    else if (open.length > 5 && !isSelfClosing) content += `</${uri === 'DAV:' ? '' : `{${uri}}`}${local}>`
    else if (resource && local === 'href' && open.length === 3) resource.href = content
    else if (resource && local === 'status' && open.length === 4) {
      for (const [name, value] of Object.entries(group))
        resource.props[name] = { status: Number(content.split(' ')[1]), value }
    }
    open.pop()
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.write(text).close()
  return resources
}
