import type { Group } from '@alcove/contract/groups'
import { Button, Skeleton, VisuallyHidden } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { plural } from '../../../../lib/format.ts'
import { useFocusFallback } from '../../../../lib/use-focus-fallback.ts'
import { confirm } from '../../../../ui/dialogs/dialogs.tsx'
import { openDialog } from '../../../../ui/dialogs/open-dialog.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { LoadError } from '../../../../ui/LoadError.tsx'
import styles from '../MembersModal.module.css'
import { GroupForm } from './GroupForm.tsx'
import { describeGroup } from './group-texts.ts'
import { useDeleteGroup, useGroups } from './queries.ts'

/** Opens the dialog in which the user creates, changes and deletes groups of people. */
export function openGroupsModal(): void {
  openDialog({ title: 'Groups', size: 480, children: <Groups /> })
}

function Groups() {
  const { data, isError, isFetching, refetch } = useGroups()
  const { mutate: remove } = useDeleteGroup()
  const providers = [...new Set(data?.flatMap(({ provider }) => provider ?? []))]
  const [edited, setEdited] = useState<Group | 'new'>()
  const newButton = useRef<HTMLButtonElement>(null)
  useFocusFallback(newButton, edited ? 'form' : data?.map(({ id }) => id).join(' '))

  async function askAndDelete({ id, name, folderCount }: Group) {
    const isConfirmed = await confirm({
      question: `Are you sure you want to delete the group “${name}”?`,
      ...(folderCount > 0 && {
        detail: `Its people lose ${plural(folderCount, 'shared folder')}, unless they have access otherwise.`,
      }),
      verb: 'Delete',
    })
    if (isConfirmed) remove(id)
  }

  if (edited) {
    return <GroupForm {...(edited !== 'new' && { group: edited })} onDone={() => setEdited(undefined)} />
  }
  return (
    <div className={styles.content}>
      <p className={styles.note}>
        Share a folder with everyone in a group at once. Whoever joins the group later is invited too, and whoever
        leaves it loses what came by it. Only you see your own groups.
        {providers.length > 0 && ` Who is in the groups from ${providers.join(' and ')} is decided there.`}
      </p>
      {!data &&
        (isError ? (
          <LoadError text="Couldn’t load your groups." isBusy={isFetching} onRetry={() => void refetch()} />
        ) : (
          <>
            <VisuallyHidden role="status">Loading...</VisuallyHidden>
            <Skeleton height={58} radius={12} />
          </>
        ))}
      {data && data.length > 0 && (
        <ul className={styles.list} aria-label="Groups">
          {data.map((group) => (
            <li key={group.id} className={styles.row}>
              <div className={styles.what}>
                <bdi className={styles.name} dir="auto">
                  {group.name}
                </bdi>
                <p className={styles.details}>
                  {describeGroup(group)}
                  {group.folderCount > 0 && ` · ${plural(group.folderCount, 'folder')}`}
                </p>
              </div>
              {group.provider === null && (
                <div className={styles.actions}>
                  <IconButton label={`Edit ${group.name}`} onClick={() => setEdited(group)}>
                    <IconPencil size={18} stroke={1.75} />
                  </IconButton>
                  <IconButton
                    label={`Delete ${group.name}`}
                    data-opener={`delete ${group.id}`}
                    onClick={() => void askAndDelete(group)}
                  >
                    <IconTrash size={18} stroke={1.75} />
                  </IconButton>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      <Button
        ref={newButton}
        variant="default"
        data-autofocus
        leftSection={<IconPlus size={18} stroke={1.75} />}
        onClick={() => setEdited('new')}
      >
        New Group
      </Button>
    </div>
  )
}
