import type { QueryClient } from '@tanstack/react-query'
import { isMount } from '../../../items/mounts.ts'
import { confirm } from '../../../ui/dialogs/dialogs.tsx'
import { changeTexts } from './change-texts.ts'
import type { Chosen } from './chosen-items.ts'
import { removeWithMounts } from './remove-mounts.ts'
import { trashChosen } from './trash-items.ts'

/** Moves items to the trash, and removes folders of others from the user's files, after a confirmation. */
export async function removeItems(queryClient: QueryClient, chosen: Chosen): Promise<void> {
  if (chosen.items.some(isMount)) await removeWithMounts(queryClient, chosen)
  else if (await asksToTrash(chosen)) await trashChosen(queryClient, chosen)
}

/** The open confirmation. A key that repeats must not open another one. */
let requested: Promise<boolean> | undefined

async function asksToTrash(chosen: Chosen): Promise<boolean> {
  if (requested) return false
  requested = confirm({
    question: changeTexts.askTrash(chosen),
    verb: 'Delete',
    detail: changeTexts.askTrashDetail(chosen),
  })
  try {
    return await requested
  } finally {
    requested = undefined
  }
}
