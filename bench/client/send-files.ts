import { subscribe } from 'node:diagnostics_channel'
import { contents } from './contents.ts'
import { fileSender, filesSender, type OutgoingFile } from './file-request.ts'
import { nameOf, type SendFiles, type SentFiles } from './jobs.ts'
import { createAgent } from './send-by-http.ts'

/** Sends the files with so many loops, each with one request in flight. What fails is counted, and the next sent. */
export async function sendFiles(job: SendFiles): Promise<SentFiles> {
  const result: SentFiles = { seconds: 0, failed: 0, connections: 0 }
  subscribe('net.client.socket', () => {
    result.connections += 1
  })
  const agent = createAgent(job.atOnce)
  const together = job.together ?? 1
  const sendOne = fileSender(job.target, job.via, agent)
  const sendMany = filesSender(job.target, job.via, agent)
  const next = contents(job.size)
  let index = 0
  const loop = async () => {
    while (index < job.files) {
      const files: OutgoingFile[] = []
      for (; index < job.files && files.length < together; index += 1) {
        files.push({ folder: folderOf(job, index), name: nameOf(index), content: next() })
      }
      try {
        await (together === 1 ? sendOne(files[0] as OutgoingFile) : sendMany(files))
      } catch (error) {
        result.failed += files.length
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
