import { fetchFile } from '@alcove/contract/bytes'
import { createFolder } from '@alcove/contract/files'
import type { File as StoredFile } from '@alcove/contract/items'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createTestApp, type TestApp } from '../../../../server/src/testing/engines/test-app.ts'
import { lockItem } from '../../../../server/src/testing/factories/locks.ts'
import { createFetchTransport, type RequestLabel } from './fetch-transport.ts'

/**
 * The fault of a request. `drop` loses it on its way to the server, `dropResponse` loses the response after the
 * server has done its work, and `hang` leaves the client waiting until it aborts. Otherwise the client gets the given
 * response, as from a proxy, and the server never sees the request.
 */
type Fault = 'drop' | 'dropResponse' | 'hang' | { status: number; body?: object; retryAfter?: number }

type TestServer = Awaited<ReturnType<typeof connect>>

/** The server and the user of the current test. Available after `setUpServer` is called at the top of a test file. */
export let server: TestServer

/** Starts the real server on a free port for the tests of a file. Each test gets a new user and no faults. */
export function setUpServer(): void {
  let app: TestApp
  let url: string
  beforeAll(async () => {
    app = await createTestApp()
    url = await app.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    server = await connect(app, url)
  })
  // Requests that a test has aborted must end before the server closes.
  afterEach(() => server.untilIdle())
}

async function connect(app: TestApp, url: string) {
  const { db } = app.services
  const user = await app.createUser({ planName: '2 TB Annually' })
  const atServer = new Set<Promise<Response>>()
  let inFlight = 0

  const connected = {
    user,
    /** The labels of all requests in the order they were sent, including failed ones. */
    requests: [] as string[],
    /** The most requests that were in flight at the same time. */
    mostInFlight: 0,
    /** Decides for each request whether it fails, and how. A test can replace it. */
    fault: (_request: string, _filename?: string): Fault | undefined | Promise<Fault | undefined> => undefined,
    transport: createFetchTransport(url, user.token, deliver),

    /** Waits until the server has finished all requests, including those that the client has aborted. */
    async untilIdle(): Promise<void> {
      while (atServer.size > 0) await Promise.allSettled(atServer)
    },

    /** Creates a folder at the root of the drive or the vault. */
    async createFolder(folderName: string, isEncrypted?: boolean): Promise<string> {
      return (await user.client.call(createFolder, { folderName, isEncrypted })).body.id
    },

    /** Sets the storage limit of the user. */
    async setAllocation(bytes: number): Promise<void> {
      await db.updateTable('users').set({ allocated_bytes: bytes }).where('id', '=', user.id).execute()
    },

    /** Locks a file or folder, as an app does that edits it. */
    lock: (itemId: string) => lockItem(app, user, itemId),

    /** Makes all earlier versions old enough to make way for an upload. */
    async ageVersions(): Promise<void> {
      await db.updateTable('versions').set({ created_at: 1 }).where('owner_id', '=', user.id).execute()
    },

    /** Downloads a stored file. */
    async download({ filename, folder_id, isEncrypted }: StoredFile): Promise<Buffer> {
      return (await user.client.raw(fetchFile, { filename, folderId: folder_id ?? undefined, isEncrypted })).bytes
    },

    /** Lists the user's uploads, unfinished and completed. */
    listUploads: () => db.selectFrom('uploads').selectAll().where('owner_id', '=', user.id).execute(),

    /** Lists the paths of the user's files, sorted. */
    async listPaths(): Promise<string[]> {
      const items = await db.selectFrom('items').selectAll().where('owner_id', '=', user.id).execute()
      const byId = new Map(items.map((item) => [item.id, item]))
      const pathOf = ({ name, parent_id }: { name: string; parent_id: string | null }): string => {
        const parent = byId.get(parent_id ?? '')
        return parent?.parent_id ? `${pathOf(parent)}/${name}` : name // a root has no parent
      }
      return items
        .filter(({ kind }) => kind === 'file')
        .map(pathOf)
        .sort()
    },
  }

  /**
   * Sends a request, unless it has a fault. An abort rejects at once, but the server always gets the whole request, so
   * that tests are deterministic. A real network may or may not deliver it.
   */
  async function deliver(request: Request, { label, filename }: RequestLabel, signal?: AbortSignal): Promise<Response> {
    signal?.throwIfAborted()
    connected.requests.push(label)
    inFlight += 1
    connected.mostInFlight = Math.max(connected.mostInFlight, inFlight)
    try {
      return await untilAborted(signal, async () => sendOrFail(request, await connected.fault(label, filename)))
    } finally {
      inFlight -= 1
    }
  }

  async function sendOrFail(request: Request, fault: Fault | undefined): Promise<Response> {
    if (fault === 'hang') return new Promise(() => {})
    if (fault === 'drop') throw new TypeError('The request was lost.')
    if (typeof fault === 'object') {
      const headers = fault.retryAfter === undefined ? undefined : { 'retry-after': String(fault.retryAfter) }
      return Response.json(fault.body ?? {}, { status: fault.status, headers })
    }
    const sent = send(request)
    atServer.add(sent)
    const response = await sent.finally(() => atServer.delete(sent))
    if (fault === 'dropResponse') throw new TypeError('The response was lost.')
    return response
  }

  return connected
}

/** Sends a request and reads the whole response, so that the server has finished with it. */
async function send(request: Request): Promise<Response> {
  const response = await fetch(request)
  return new Response(await response.arrayBuffer(), response)
}

function untilAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    work().then(resolve, reject)
  })
}
