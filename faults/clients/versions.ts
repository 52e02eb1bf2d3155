import { deleteVersion, deleteVersions, listVersions, restoreVersion, type Version } from '@alcove/contract/versions'
import { type Client, expectDone } from './client.ts'
import { afterDeletingAllVersions, afterDeletingVersion, afterRestoringVersion, type Entry, listSeen } from './tree.ts'

/** Makes a version of a file the current one. */
export async function restoreSomeVersion(client: Client): Promise<void> {
  await withVersion(client, (name, index, input) =>
    client.change(`restoring version ${index} of ${name}`, afterRestoringVersion(client.tree, name, index), () =>
      client.api.call(restoreVersion, input),
    ),
  )
}

export async function deleteSomeVersion(client: Client): Promise<void> {
  await withVersion(client, (name, index, input) =>
    client.change(`deleting version ${index} of ${name}`, afterDeletingVersion(client.tree, name, index), () =>
      client.api.call(deleteVersion, input),
    ),
  )
}

/** Deletes the versions of all files, unless others share the account. */
export async function deleteAllVersions(client: Client): Promise<void> {
  if (!client.isAlone) return deleteSomeVersion(client)
  await client.change('deleting all versions', afterDeletingAllVersions(client.tree), () =>
    client.api.call(deleteVersions, {}),
  )
}

/** Returns the versions of a file on the server, newest first. */
async function readVersions(client: Client, name: string): Promise<readonly Version[]> {
  const id = client.idOf(name)
  const { body } = await expectDone(`the versions of ${name}`, () => client.api.call(listVersions, { id }))
  return body.versions
}

async function withVersion(
  client: Client,
  act: (name: string, index: number, input: { id: string; versionId: string }) => Promise<unknown>,
): Promise<void> {
  const files = listSeen(client.tree, 'file').filter(
    ({ name, versions }) => versions.length > 0 && ![...client.uploads].some((upload) => upload.name === name),
  )
  if (files.length === 0) return
  const { name, versions }: Entry = client.random.pick(files)
  const index = client.random.between(0, versions.length - 1)
  const found = (await readVersions(client, name))[index]
  if (!found) throw new Error(`${name} has lost its version ${index}`)
  await act(name, index, { id: client.idOf(name), versionId: found.id })
}
