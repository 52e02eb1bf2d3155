import { Chance, MARKUP, makeBulk, makeDocument } from './hostile-bodies.ts'
import {
  DRIVE_METHODS,
  ENDS,
  GOOD_NAMES,
  NAMES,
  NUMBERS,
  OCS_PATHS,
  OTHER_PATHS,
  WRONG_AUTHORIZATIONS,
  WRONG_HEADERS,
} from './hostile-values.ts'

export interface HostileRequest {
  method: string
  /** The path and query, in ASCII. */
  target: string
  headers: Record<string, string>
  body: string | undefined
}

interface Account {
  email: string
  authorization: string
}

/** A request without most of its headers. */
interface Made {
  method: string
  target: string
  body: string
  type?: string
}

/** Makes requests that are wrong in many ways, to all addresses of WebDAV and of Nextcloud clients. The same ones for a seed. */
export class HostileRequests {
  readonly #chance: Chance
  readonly #account: Account
  /** Whether names, bodies and headers of the current request are wrong, too. If all were, few would get past the first check. */
  #wrong = { names: false, body: false, headers: false }
  /** Addresses that responses have named: those of numbered items can't be guessed. */
  readonly #learned: string[] = []
  readonly #numbers: string[] = []
  readonly #tokens = ['urn:uuid:1']

  constructor(seed: number, account: Account) {
    this.#chance = new Chance(seed)
    this.#account = account
  }

  /** Reads addresses and numbers of items from a response, for later requests. */
  learn(text: string): void {
    const known = text.slice(0, 20_000)
    for (const [, address] of known.matchAll(/<D:href>([^<]{1,500})</g)) {
      this.#keep(address?.startsWith('/') ? this.#learned : this.#tokens, address)
    }
    for (const [, ...numbers] of known.matchAll(/<oc:fileid>(\d+)<|\.d(\d+)\/?<|"id":"(\d+)"/g)) {
      this.#keep(
        this.#numbers,
        numbers.find((number) => number !== undefined),
      )
    }
  }

  #keep(list: string[], text: string | undefined): void {
    if (text === undefined) return
    if (list.length < 100) list.push(text)
    else list[this.#chance.below(100)] = text
  }

  next(): HostileRequest {
    const chance = this.#chance
    this.#wrong = { names: chance.is(0.3), body: chance.is(0.3), headers: chance.is(0.3) }
    const make = chance.pick<() => Made>([
      () => this.#toDrive(),
      () => this.#toDrive(),
      () => this.#toDrive(),
      () => this.#toUploads(),
      () => this.#toNumbered(),
      () => this.#toOcs(),
      () => this.#toSearch(),
      () => this.#toBulk(),
      () => this.#toOthers(),
    ])
    const { method, target, body, type } = make()
    const headers = { ...this.#headers(target), ...(type !== undefined && { 'content-type': type }) }
    const isBodiless = method === 'GET' || method === 'HEAD' || body === ''
    return { method, target, headers, body: isBodiless ? undefined : body }
  }

  #toDrive() {
    const chance = this.#chance
    const method = chance.pick(DRIVE_METHODS)
    const isLearned = this.#learned.length > 0 && chance.is(0.3)
    return { method, target: isLearned ? chance.pick(this.#learned) : this.#drivePath(), body: this.#document(method) }
  }

  #toUploads() {
    const chance = this.#chance
    const method = chance.pick([
      'MKCOL',
      'MKCOL',
      'PUT',
      'PUT',
      'PUT',
      'MOVE',
      'MOVE',
      'PROPFIND',
      'DELETE',
      'GET',
      'COPY',
    ])
    const upload = this.#wrong.names ? chance.pick(NAMES) : chance.pick(['u', 'v'])
    const inside = chance.is(0.3) ? '.file' : chance.pick(this.#wrong.names ? NUMBERS : ['1', '1', '1', '2', '000-004'])
    const end = method === 'MKCOL' && chance.is(0.9) ? '' : `/${inside}`
    return {
      method,
      target: `/remote.php/dav/uploads/${this.#user()}/${upload}${end}`,
      body: chance.pick(['', 'x', 'chunk']),
    }
  }

  #toNumbered() {
    const chance = this.#chance
    const method = chance.pick(['PROPFIND', 'PROPFIND', 'GET', 'MOVE', 'COPY', 'DELETE', 'PUT', 'PROPPATCH', 'SEARCH'])
    const number = this.#number()
    const names = this.#names()
    const paths = {
      trashbin: [`trash`, `trash/a.txt.d${number}`, `trash/b.d${number}/${names}`, 'restore/x', names],
      versions: [`versions/${number}`, `versions/${number}/${chance.pick(NUMBERS)}`, 'restore/x', names],
    }
    const collection = chance.pick(['trashbin', 'versions'] as const)
    return {
      method,
      target: `/remote.php/dav/${collection}/${this.#user()}/${chance.pick(paths[collection])}${chance.pick(ENDS)}`,
      body: this.#document(method),
    }
  }

  #toOcs() {
    const chance = this.#chance
    const method = chance.pick(['GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])
    const below = chance.is(0.3) ? `/${chance.is(0.8) ? this.#number() : chance.pick(NAMES)}` : ''
    const form = this.#form()
    const query = chance.is(0.5)
      ? `?${form}`
      : chance.pick(['', '?format=json', '?format=xml', '?format=json&format=x'])
    const version = chance.pick(['v1.php', 'v2.php', 'v2.php', 'v3.php'])
    return {
      method,
      target: `/ocs/${version}/${chance.pick(OCS_PATHS)}${below}${query}`,
      body: chance.is(0.8) ? form : '{',
    }
  }

  #toSearch() {
    return { method: 'SEARCH', target: `/remote.php/dav${this.#chance.pick(ENDS)}`, body: this.#document('SEARCH') }
  }

  #toBulk() {
    const chance = this.#chance
    const paths = Array.from({ length: chance.below(4) }, () => `/${this.#names()}`)
    const { body, type } = makeBulk(chance, paths, this.#wrong.body)
    return { method: chance.is(0.9) ? 'POST' : 'PUT', target: '/remote.php/dav/bulk', body, type }
  }

  #toOthers() {
    const chance = this.#chance
    const method = chance.pick(['GET', 'GET', 'POST', 'HEAD', 'PROPFIND', 'OPTIONS', 'PUT', 'DELETE', 'SEARCH'])
    const sizes = `${chance.pick(NUMBERS)}/${chance.pick(NUMBERS)}`
    const target = chance.pick([
      `${chance.pick(OTHER_PATHS)}${chance.pick(ENDS)}`,
      `/index.php/core/preview?${this.#form()}`,
      `/index.php/apps/files/api/v1/thumbnail/${sizes}/${this.#names()}`,
      `/index.php/avatar/${this.#user()}/${chance.pick(NUMBERS)}`,
    ])
    return { method, target, body: chance.is(0.5) ? `token=${chance.pick(NAMES)}` : this.#document(method) }
  }

  #document(method: string): string {
    if (method === 'PUT') return this.#chance.pick(['', 'x', 'some text'])
    const document = makeDocument(this.#chance, method, this.#wrong.body)
    return document.replace('USER', this.#account.email)
  }

  #names(): string {
    return Array.from({ length: 1 + this.#chance.below(3) }, () => this.#name()).join('/')
  }

  #name(): string {
    return this.#chance.pick(this.#wrong.names ? NAMES : GOOD_NAMES)
  }

  #number(): string {
    const isRight = !this.#wrong.names && this.#numbers.length > 0
    return this.#chance.pick(isRight ? this.#numbers : NUMBERS)
  }

  #user(): string {
    const { email } = this.#account
    if (!this.#wrong.names || this.#chance.is(0.5)) return encodeURIComponent(email)
    return this.#chance.pick([
      email,
      email.toUpperCase(),
      'other@example.com',
      '..',
      '%00',
      '%FF',
      '%',
      '',
      'x'.repeat(300),
    ])
  }

  #drivePath(): string {
    const mount = this.#chance.pick(['/dav', '/remote.php/webdav', `/remote.php/dav/files/${this.#user()}`])
    return `${mount}/${this.#names()}${this.#wrong.names ? this.#chance.pick(ENDS) : ''}`
  }

  #form(): string {
    const chance = this.#chance
    const pairs = {
      path: `/${this.#names()}`,
      shareType: chance.pick(['3', '3', '3', '0', 'x']),
      permissions: chance.pick(NUMBERS),
      password: chance.pick(['', 'x', '%00', 'x'.repeat(300)]),
      expireDate: chance.pick(['', '2999-12-31', '2020-01-01', '9999-99-99', '0000-00-00', 'x']),
      subfiles: chance.pick(['true', '1', 'x']),
      fileId: this.#number(),
      file: `/${this.#names()}`,
      x: chance.pick(NUMBERS),
      format: chance.pick(['json', 'xml', '']),
    }
    const chosen = Object.entries(pairs).filter(([name]) => name === 'path' || name === 'shareType' || chance.is(0.2))
    return chosen.map(([name, value]) => `${name}=${value.replaceAll('#', '')}`).join('&')
  }

  #destination(): string {
    const chance = this.#chance
    const path = this.#drivePath()
    return chance.pick([
      ...[path, path, path, `http://evil.example${path}`, `http://x@evil.example:80${path}`, `//evil.example${path}`],
      ...['', 'x', 'http://', 'http://[::1', 'file:///etc/passwd', `javascript:${path}`, '/api/storage', '/dav'],
      ...[`/remote.php/dav/trashbin/${this.#user()}/restore/x`, `/remote.php/dav/versions/${this.#user()}/restore/x`],
    ])
  }

  #headers(target: string): Record<string, string> {
    const chance = this.#chance
    const { authorization } = this.#account
    if (!this.#wrong.headers) {
      const restored = /^\/remote\.php\/dav\/(?:trashbin|versions)\/[^/]*/.exec(target)?.[0]
      const destination = restored === undefined ? this.#drivePath() : `${restored}/restore/x`
      const token = chance.pick(this.#tokens)
      return {
        ...{ authorization, 'ocs-apirequest': 'true', depth: chance.pick(['0', '1']), destination },
        ...{ 'lock-token': `<${token}>`, if: `(<${token}>) (Not <DAV:no-lock>)` },
      }
    }
    const damaged = (text: string) => chance.damage(text, MARKUP).replace(/[^\x20-\x7e]/g, '?')
    const chosen = Object.entries(WRONG_HEADERS).filter(() => chance.is(0.2))
    return {
      authorization: chance.is(0.9) ? authorization : chance.pick(WRONG_AUTHORIZATIONS),
      ...(chance.is(0.8) && { 'ocs-apirequest': 'true' }),
      depth: chance.pick(['0', '1', '1', 'infinity', '-1', 'x', '1,noroot']),
      ...(chance.is(0.8) && { destination: this.#destination() }),
      ...(chance.is(0.1) && { if: damaged('(<urn:uuid:1> ["x"]) (Not <DAV:no-lock>)') }),
      ...(chance.is(0.1) && { if: damaged(`<${this.#drivePath()}> (<urn:uuid:1> ["x"])`) }),
      ...Object.fromEntries(chosen.map(([name, values]) => [name, chance.pick(values)])),
    }
  }
}
