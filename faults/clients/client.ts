import type { Answer, TestClient } from '@alcove/server/testing/client'
import type { Random } from '../random.ts'
import type { Tree } from './tree.ts'
import type { Upload } from './upload-plan.ts'

/** The server has gone in the middle of a call: whether it did what it was asked is not known. */
export class ServerGone extends Error {}

/** What a call would come to. */
export interface Doing {
  readonly what: string
  readonly tree: Tree
  /** The files that come with one request: it may be half done, each of them by itself is there or not. */
  readonly together: readonly Upload[]
}

/**
 * Somebody who works with the server, one change after the other, and remembers what it acknowledged. Several may share
 * an account: the names of what is theirs begin with their own.
 */
export class Client {
  readonly name: string
  readonly api: TestClient
  readonly random: Random
  /** Whether the account is theirs alone, so that they may empty its trash. */
  readonly isAlone: boolean
  /** What was acknowledged. */
  tree: Tree = new Map()
  ids: ReadonlyMap<string, string> = new Map()
  /** Begun and not complete. */
  readonly uploads = new Set<Upload>()
  /** Files whose bytes have not been compared since they came. */
  readonly unread = new Set<string>()
  #doing: Doing | undefined
  #names = 0

  constructor(name: string, api: TestClient, random: Random, isAlone: boolean) {
    this.name = name
    this.api = api
    this.random = random
    this.isAlone = isAlone
  }

  newName(kind: string): string {
    return `${this.prefix}${kind}-${++this.#names}`
  }

  get prefix(): string {
    return `${this.name}-`
  }

  /** What was on its way when the server went. */
  get doing(): Doing | undefined {
    return this.#doing
  }

  idOf(name: string): string {
    const id = this.ids.get(name)
    if (id === undefined) throw new Error(`${this.name} does not know the id of ${name}`)
    return id
  }

  /** Makes a call that turns what there is into `tree`, all of it or nothing; one that brings files `together` adds each by itself. */
  async change<A extends Pick<Answer<unknown>, 'status' | 'body'>>(
    what: string,
    tree: Tree,
    call: () => Promise<A>,
    together: readonly Upload[] = [],
  ): Promise<A> {
    this.#doing = { what, tree, together }
    const response = await asking(what, call)
    this.hold(tree)
    const { id, name } = (response.body ?? {}) as { id?: string; name?: string }
    if (id !== undefined && name !== undefined) this.ids = new Map(this.ids).set(name, id)
    return response
  }

  /** All bytes are compared once more. */
  readAgain(): void {
    for (const { name, content } of this.tree.values()) if (content) this.unread.add(name)
  }

  /** From now on this is what there is. */
  hold(tree: Tree): void {
    for (const { name, content } of tree.values()) {
      if (content && this.tree.get(name)?.content !== content) this.unread.add(name)
    }
    this.tree = tree
    this.#doing = undefined
  }
}

/** Makes a call that has to go well, unless the server goes meanwhile. */
export async function asking<A extends Pick<Answer<unknown>, 'status' | 'body'>>(
  what: string,
  call: () => Promise<A>,
): Promise<A> {
  const response = await call().catch((error: unknown) => {
    throw isGone(error) ? new ServerGone(what, { cause: error }) : error
  })
  if (response.status >= 300)
    throw new Error(`${what} was refused with ${response.status}: ${JSON.stringify(response.body)}`)
  return response
}

const GONE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'])

function isGone(error: unknown): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException
  return GONE.has(code) || message === 'aborted'
}
