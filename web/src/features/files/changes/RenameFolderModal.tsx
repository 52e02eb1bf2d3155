import type { Folder } from '@alcove/contract/items'
import { modals } from '@mantine/modals'
import { ItemNameForm } from './ItemNameForm.tsx'
import { useRenameItem } from './use-item-changes.ts'

/** Asks for a folder's new name; an empty answer does nothing. */
export function openRenameFolderModal(folder: Folder): void {
  const modalId = modals.open({
    title: 'Rename Folder',
    size: 420,
    children: <RenameFolderForm folder={folder} onClose={() => modals.close(modalId)} />,
  })
}

interface RenameFolderFormProps {
  readonly folder: Folder
  readonly onClose: () => void
}

function RenameFolderForm({ folder, onClose }: RenameFolderFormProps) {
  const { mutateAsync, isPending } = useRenameItem(folder)
  return (
    <ItemNameForm verb="Rename" initialName={folder.name} isBusy={isPending} onSubmit={mutateAsync} onClose={onClose} />
  )
}
