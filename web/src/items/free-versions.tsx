import { deleteVersions } from '@alcove/contract/versions'
import { IconHistory } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { send, sentenceOf } from '../api/api.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useAction } from '../api/use-call.ts'
import { formatSize } from '../lib/format.ts'
import { confirm } from '../ui/dialogs/dialogs.tsx'
import { notifyError, notifySuccess } from '../ui/toasts/notify.tsx'

/** Returns the action that deletes the earlier versions of all files, after a confirmation. */
export function useFreeVersions(): () => void {
  const queryClient = useQueryClient()
  const { mutate } = useAction(async () => {
    try {
      const { freedBytes } = await send(deleteVersions, {})
      notifySuccess(freedBytes > 0 ? `${formatSize(freedBytes)} freed.` : 'Nothing was freed. All versions are named.')
    } catch (error) {
      notifyError(`Couldn't delete the versions. ${sentenceOf(error) ?? 'Check your connection, then try again.'}`)
    } finally {
      void queryClient.invalidateQueries({ queryKey: queryKeys.storage })
      void queryClient.invalidateQueries({ queryKey: queryKeys.versions })
    }
  })
  return () => void askToFree().then((isConfirmed) => isConfirmed && mutate())
}

function askToFree(): Promise<boolean> {
  return confirm({
    question: 'Delete all earlier versions?',
    verb: 'Delete Versions',
    detail:
      'The earlier versions of all your files are deleted permanently. Named versions stay, and so do the files themselves.',
    icon: <IconHistory size={20} stroke={1.75} />,
  })
}
