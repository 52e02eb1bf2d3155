import type { SharedFolder } from '@alcove/contract/members'
import { IconDoorExit, IconFolderMinus, IconFolderPlus, IconUsers } from '@tabler/icons-react'
import { Link } from 'react-router'
import { FolderGlyph } from '../../../ui/FolderGlyph.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { ItemName } from '../../../ui/ItemName.tsx'
import { describeCount, describeOwnRole, nameOfPerson, nameOfRole } from './member-texts.ts'
import { OwnershipOffer } from './OwnershipOffer.tsx'
import { openMembers } from './open-members.ts'
import styles from './SharedWithMeList.module.css'

interface SharedFolderRowProps {
  readonly folder: SharedFolder
  readonly address: string
  /** Adds the folder to the user's own files, or removes it from there. */
  readonly onPlace: () => void
  readonly onLeave: () => void
}

/** A folder that somebody shares with the user. */
export function SharedFolderRow({ folder, address, onPlace, onLeave }: SharedFolderRowProps) {
  const { name, owner, role, mount } = folder
  const PlaceIcon = mount ? IconFolderMinus : IconFolderPlus
  return (
    <li className={styles.row}>
      <span className={styles.folder}>
        <FolderGlyph size={32} />
      </span>
      <div className={styles.what}>
        <Link className={styles.link} to={address}>
          <ItemName name={name} className={styles.name} />
        </Link>
        <p className={styles.who}>
          Owner: <bdi dir="auto">{nameOfPerson(owner)}</bdi> · {describeCount(folder)}
        </p>
        <p className={styles.who}>
          {nameOfRole(role)}: {describeOwnRole(role)}
        </p>
      </div>
      <div className={styles.actions}>
        <IconButton label={mount ? `Remove “${name}” from my files` : `Add “${name}” to my files`} onClick={onPlace}>
          <PlaceIcon size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={`People in “${name}”`} onClick={() => openMembers(folder)}>
          <IconUsers size={18} stroke={1.75} />
        </IconButton>
        <IconButton label={`Leave “${name}”`} onClick={onLeave}>
          <IconDoorExit size={18} stroke={1.75} />
        </IconButton>
      </div>
      {folder.offeredAt !== null && <OwnershipOffer folder={folder} />}
    </li>
  )
}
