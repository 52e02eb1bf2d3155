import { getDownloadUrl } from '@alcove/contract/bytes'
import { getStorage } from '@alcove/contract/files'
import { listVersions, type Version } from '@alcove/contract/versions'
import { expect } from 'vitest'
import { checkCounters } from '../../commands/verify.ts'
import { app, setUpDrive, user } from './drive.ts'

export const DAY = 86_400_000

/** Sets up a drive for tests of versions, with sessions that outlive the years that these skip. */
export function setUpVersions(): void {
  setUpDrive({ sessionTtl: 10_000 * DAY, sessionMaxAge: 10_000 * DAY })
}

/** Uploads a file onto its own name. */
export async function save(content: string, fields: Record<string, string | boolean> = {}, client = user.client) {
  return client.upload('report.txt', content, { totalSize: content.length, onConflict: 'replace', ...fields })
}

export async function history(id: string): Promise<Version[]> {
  return (await user.client.call(listVersions, { id })).body.versions
}

export async function readVersion(id: string, versionId: string): Promise<string> {
  const { url } = (await user.client.call(getDownloadUrl, { id, versionId })).body
  const { pathname, search } = new URL(url)
  const response = await app.visitor.request({ method: 'GET', url: pathname + search })
  expect(response.status).toBe(200)
  return response.bytes.toString()
}

export async function textsOf(id: string): Promise<string[]> {
  return Promise.all((await history(id)).map((version) => readVersion(id, version.id)))
}

export async function storage() {
  const { used_bytes, version_bytes } = (await user.client.call(getStorage, {})).body
  return { used_bytes, version_bytes }
}

export async function expectRightCounters(): Promise<void> {
  const lines: string[] = []
  await checkCounters(app.services.db, (line) => lines.push(line))
  expect(lines.join('\n')).not.toContain(user.email)
}
