import type { TestClient, TestResponse } from '@alcove/server/testing/clients/client'
import type { Content, Random } from '../random.ts'
import type { Tree } from './tree.ts'

/** The server died during a call. It is unknown whether the call was done. */
export class ServerGone extends Error {}

/** The call in progress, and the tree that it would result in. */
export interface PendingCall {
  readonly what: string
  readonly tree: Tree
  /** The files of one request. Each of them may be stored or not. */
  readonly together: readonly Upload[]
}

/**
 * A client that makes one change after the other, and remembers what the server acknowledged. Several clients can share an
 * account. The names of a client's items begin with its own name.
 */
export class Client {
  readonly name: string
  readonly api: TestClient
  readonly random: Random
  /** Whether no other client shares the account, so that this one may empty the trash. */
  readonly isAlone: boolean
  /** The acknowledged state. */
  tree: Tree = new Map()
  ids: ReadonlyMap<string, string> = new Map()
  /** Unfinished uploads. */
  readonly uploads = new Set<Upload>()
  /** Files whose bytes have not been compared since they were stored. */
  readonly unread = new Set<string>()
  #pending: PendingCall | undefined
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

  /** The call that was in progress when the server died. */
  get pending(): PendingCall | undefined {
    return this.#pending
  }

  idOf(name: string): string {
    const id = this.ids.get(name)
    if (id === undefined) throw new Error(`${this.name} does not know the id of ${name}`)
    return id
  }

  /** Makes a call that results in `tree` completely or not at all. Files of one request (`together`) may be stored separately. */
  async change<A extends Pick<TestResponse<unknown>, 'status' | 'body'>>(
    what: string,
    tree: Tree,
    call: () => Promise<A>,
    together: readonly Upload[] = [],
  ): Promise<A> {
    this.#pending = { what, tree, together }
    const response = await expectDone(what, call)
    this.acknowledge(tree)
    const { id, name } = (response.body ?? {}) as { id?: string; name?: string }
    if (id !== undefined && name !== undefined) this.ids = new Map(this.ids).set(name, id)
    return response
  }

  /** Marks all files, so that their bytes are compared again. */
  readAgain(): void {
    for (const { name, content } of this.tree.values()) if (content) this.unread.add(name)
  }

  /** Sets the acknowledged state. */
  acknowledge(tree: Tree): void {
    for (const { name, content } of tree.values()) {
      if (content && this.tree.get(name)?.content !== content) this.unread.add(name)
    }
    this.tree = tree
    this.#pending = undefined
  }
}

/** Makes a call that has to succeed unless the server dies. */
export async function expectDone<A extends Pick<TestResponse<unknown>, 'status' | 'body'>>(
  what: string,
  call: () => Promise<A>,
): Promise<A> {
  const response = await call().catch((error: unknown) => {
    throw isGone(error) ? new ServerGone(what, { cause: error }) : error
  })
  if (response.status >= 300)
    throw new Error(`${what} failed with ${response.status}: ${JSON.stringify(response.body)}`)
  return response
}

const GONE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ECONNABORTED'])

function isGone(error: unknown): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException
  return GONE.has(code) || message === 'aborted'
}

/** A file that is being uploaded. */
export interface Upload {
  readonly id: string
  readonly name: string
  /** The name of its folder. */
  readonly folder: string | undefined
  readonly content: Content
  readonly chunkSize: number
  /** Whether the client announces the sizes. Otherwise the server learns them from the chunks. */
  readonly isAnnounced: boolean
  /** Whether it replaces the file of its name. */
  readonly isReplacing: boolean
  /** Chunks that were acknowledged and not sent again since. */
  readonly received: Set<number>
}

export type UploadPlan = Omit<Upload, 'id' | 'received'>
