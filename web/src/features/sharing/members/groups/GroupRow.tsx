import type { FolderGroup } from '@alcove/contract/members'
import type { Role } from '@alcove/contract/roles'
import { NativeSelect } from '@mantine/core'
import { IconUsersGroup, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { confirm } from '../../../../ui/dialogs/dialogs.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import styles from '../MembersModal.module.css'
import { roleNames } from '../member-texts.ts'
import { describeGroup } from './group-texts.ts'
import { useChangeFolderGroup } from './queries.ts'

interface GroupRowProps {
  readonly folderId: string
  readonly group: FolderGroup
  readonly people: number
  /** The rows of the people who came by the group. */
  readonly children: ReactNode
}

/** A group with which a folder is shared: one line, with its people beneath. */
export function GroupRow({ folderId, group, people, children }: GroupRowProps) {
  const { mutate: change } = useChangeFolderGroup(folderId)
  const { id: groupId, name, provider, role } = group

  async function askAndRemove() {
    const isConfirmed = await confirm({
      question: `Are you sure you want to stop sharing with the group “${name}”?`,
      detail: 'Its people lose access to the folder at once, unless they have it otherwise. What they added stays.',
      verb: 'Stop Sharing',
      icon: <IconUsersGroup size={20} stroke={1.75} />,
    })
    if (isConfirmed) change({ groupId, role: null })
  }

  return (
    <li className={styles.group}>
      <div className={styles.row}>
        <div className={styles.what}>
          <div className={styles.title}>
            <IconUsersGroup size={18} stroke={1.75} aria-hidden />
            <bdi className={styles.name} dir="auto">
              {name}
            </bdi>
            <span className={styles.details}>{describeGroup({ peopleCount: people, provider })}</span>
          </div>
        </div>
        <div className={styles.actions}>
          <NativeSelect
            className={styles.select}
            aria-label={`Role of the group ${name}`}
            data={roleNames}
            value={role}
            onChange={(event) => change({ groupId, role: event.currentTarget.value as Role })}
          />
          <IconButton
            label={`Stop sharing with the group ${name}`}
            data-opener={`group ${groupId}`}
            onClick={() => void askAndRemove()}
          >
            <IconX size={18} stroke={1.75} />
          </IconButton>
        </div>
      </div>
      {people > 0 && <ul className={styles.people}>{children}</ul>}
    </li>
  )
}
