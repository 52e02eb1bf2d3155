import { createFolder } from '@alcove/contract/files'
import { copyItems, trashItems } from '@alcove/contract/item-calls'
import { KIBIBYTE } from '@alcove/contract/limits'
import { deleteItems } from '@alcove/contract/trash'
import { type Account, findFolderId, openAccount, send } from '../account.ts'
import { startAlcove } from '../alcove.ts'
import { type Nginx, startNginx } from '../nginx.ts'
import { type Row, valueAtMost } from '../rows.ts'
import { alcoveTarget, nginxTarget, sendAll } from '../run-client.ts'
import { inRounds, type Part, settle } from '../stage.ts'
import { timeSeconds } from '../statistics.ts'

const FILES = 10_000
const PER_FOLDER = 100

interface Removal {
  trashed: number
  deleted: number
}

/** A tree of ten thousand files in a hundred folders: out of view, and deleted for good, against nginx deleting the same. */
export const tree: Part = {
  name: 'tree',
  needsCurl: false,
  async run(stage) {
    const account = await openAccount(await startAlcove(stage.dir))
    const nginx = await startNginx(stage.dir)
    const figures = { originals: [] as Removal[], copies: [] as Removal[], nginx: [] as number[] }
    await inRounds(stage, async (round) => {
      const folder = `tree-${round}`
      for (const target of [alcoveTarget(account), ...(nginx ? [nginxTarget(nginx)] : [])]) {
        await sendAll({
          ...{ target, via: 'http', folder, perFolder: PER_FOLDER, files: FILES },
          ...{ size: KIBIBYTE, atOnce: 6 },
        })
      }
      const id = await findFolderId(account, folder)
      const copy = await copyOf(account, id, `copy-${round}`)
      await settle()
      // A copy shares the bytes of the original, which stay: what only counts must not cost more than what is removed.
      figures.copies.push(await remove(account, copy))
      figures.originals.push(await remove(account, id))
      if (nginx) figures.nginx.push(await removeFromNginx(nginx, folder))
    })
    const seconds = (removals: Removal[], step: keyof Removal) => removals.map((removal) => removal[step])
    return [
      {
        what: 'a tree of 10,000 files: gone from view, s',
        alcove: seconds(figures.originals, 'trashed'),
        aim: valueAtMost(0.05),
      },
      {
        what: '… deleted for good, s',
        alcove: seconds(figures.originals, 'deleted'),
        reference: { name: 'nginx DELETE', figures: figures.nginx },
        aim: valueAtMost(0.5),
      },
      {
        what: '… a copy of it, deleted for good, s',
        alcove: seconds(figures.copies, 'deleted'),
        aim: valueAtMost(0.5),
      },
    ] satisfies Row[]
  },
}

async function copyOf(account: Account, id: string, name: string): Promise<string> {
  const { id: targetFolderId } = await send(account, createFolder, { folderName: name })
  await send(account, copyItems, { itemIds: [id], targetFolderId })
  return targetFolderId
}

/** Into the trash, which is what takes it out of view, and out of it for good. */
async function remove(account: Account, id: string): Promise<Removal> {
  const itemIds = [id]
  return {
    trashed: await timeSeconds(() => send(account, trashItems, { itemIds })),
    deleted: await timeSeconds(() => send(account, deleteItems, { itemIds })),
  }
}

async function removeFromNginx({ url }: Nginx, folder: string): Promise<number> {
  return timeSeconds(async () => {
    const { ok, status } = await fetch(`${url}/${folder}/`, { method: 'DELETE' })
    if (!ok) throw new Error(`nginx answered ${status} to a DELETE of ${folder}`)
  })
}
