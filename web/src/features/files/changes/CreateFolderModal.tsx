import { FOLDER_NAME_EMPTY } from '@alcove/contract/names'
import { modals } from '@mantine/modals'
import { ItemNameForm } from './ItemNameForm.tsx'
import { useCreateFolder } from './use-item-changes.ts'

/** Asks for the name of a new folder and creates it. */
export function openCreateFolderModal(parentFolderId: string | undefined): void {
  const modalId = modals.open({
    title: 'Create Folder',
    size: 420,
    children: <CreateFolderForm parentFolderId={parentFolderId} onClose={() => modals.close(modalId)} />,
  })
}

interface CreateFolderFormProps {
  readonly parentFolderId: string | undefined
  readonly onClose: () => void
}

function CreateFolderForm({ parentFolderId, onClose }: CreateFolderFormProps) {
  const { mutateAsync, isPending } = useCreateFolder(parentFolderId)
  return (
    <ItemNameForm
      verb="Create"
      emptyMessage={FOLDER_NAME_EMPTY}
      isBusy={isPending}
      onSubmit={mutateAsync}
      onClose={onClose}
    />
  )
}
