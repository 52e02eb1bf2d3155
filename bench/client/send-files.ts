import { subscribe } from 'node:diagnostics_channel'
import { contents } from './contents.ts'
import { fileSender } from './file-request.ts'
import { nameOf, type SendFiles, type SentFiles } from './jobs.ts'
import { createAgent } from './send-by-http.ts'

/** Sends the files with so many loops, each with one request in flight. A file that fails is counted, and the next one sent. */
export async function sendFiles(job: SendFiles): Promise<SentFiles> {
  const result: SentFiles = { seconds: 0, failed: 0, connections: 0 }
  subscribe('net.client.socket', () => {
    result.connections += 1
  })
  const agent = createAgent(job.atOnce)
  const send = fileSender(job.target, job.via, agent)
  const next = contents(job.size)
  let index = 0
  const loop = async () => {
    while (index < job.files) {
      const name = nameOf(index)
      const folder = folderOf(job, index)
      index += 1
      try {
        await send({ folder, name, content: next() })
      } catch (error) {
        result.failed += 1
        result.firstFailure ??= String(error)
      }
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: job.atOnce }, loop))
  result.seconds = (performance.now() - startedAt) / 1000
  agent.destroy()
  return result
}

function folderOf({ folder, perFolder }: SendFiles, index: number): string {
  return perFolder === undefined ? folder : `${folder}/folder-${Math.floor(index / perFolder)}`
}
