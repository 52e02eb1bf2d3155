import { openSubmission } from '@alcove/contract/submissions'
import { ApiError, send } from '../../../../api/api.ts'
import { browserConnection } from '../../../../api/connection.ts'
import { getSubmission, type Submission, setSubmission } from '../../../../api/session.ts'
import { createStore, type Store } from '../../../../lib/store.ts'
import { createUploadEnvironment } from '../../../../uploader/chunked-upload.ts'
import { createBrowserTransport } from '../../../../uploader/transport.ts'
import { createBrowserUnfinishedUploads } from '../../../../uploader/unfinished-uploads.ts'
import { UploadQueue } from '../../../../uploader/upload-queue.ts'
import { warnBeforeLeaving } from '../../../../uploader/uploads.ts'
import type { Visit } from '../link-address.ts'

/** Sends the files of a visitor through one link. It outlives the page of the link, like the queue of the user's own uploads. */
export interface Sender {
  readonly queue: UploadQueue
  readonly submission: Store<Submission>
  /** How often the link has refused the visitor: it was disabled or deleted, has expired or has another password. */
  readonly refusals: Store<number>
  /** Resumes what a reload or the end of the access has interrupted. */
  open(access: string | undefined): void
  setName(name: string): void
  /** Ends the submission, so that the next files are sent under another name. */
  leave(): void
}

const senders = new Map<string, Sender>()

export function senderFor({ token }: Visit): Sender {
  const sender = senders.get(token) ?? createSender(token)
  senders.set(token, sender)
  return sender
}

function createSender(token: string): Sender {
  const submission = createStore(getSubmission(token))
  const refusals = createStore(0)
  let access: string | undefined
  let opening: Promise<string> | undefined

  function keep(next: Submission): void {
    setSubmission(token, next)
    submission.set(next)
  }

  /** Begins a submission, with the first request of an upload. Retried like that request. */
  async function begin(): Promise<string> {
    const { name } = submission.get()
    try {
      const { secret } = await send(openSubmission, { token, access, visitorName: name })
      keep({ name, secret })
      return secret
    } catch (error) {
      if (error instanceof ApiError && [401, 403, 404].includes(error.status)) refusals.set(refusals.get() + 1)
      throw error
    } finally {
      opening = undefined
    }
  }

  const transport = createBrowserTransport({
    bearer() {
      const { secret } = submission.get()
      if (secret !== undefined) return secret
      opening ??= begin()
      return opening
    },
    refused(bearer) {
      const { secret, name } = submission.get()
      if (secret !== bearer) return
      keep({ name })
      refusals.set(refusals.get() + 1)
    },
  })
  const queue = new UploadQueue(
    createUploadEnvironment({ transport, connection: browserConnection, isForVisitor: true }),
    createBrowserUnfinishedUploads(),
  )
  warnBeforeLeaving(queue)

  return {
    queue,
    submission,
    refusals,
    open(given) {
      access = given
      void queue.open(`link ${token}`)
    },
    setName: (name) => submission.get().secret === undefined && keep({ name }),
    leave() {
      queue.clearSettled()
      keep({})
    },
  }
}
