import type { File } from '@alcove/contract/items'
import type { Version } from '@alcove/contract/versions'
import { Menu } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBookmarkFilled,
  IconDotsVertical,
  IconDownload,
  IconEye,
  IconPencil,
  IconTrash,
  type TablerIcon,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useSession } from '../../api/session.ts'
import { contentSizeOf } from '../../items/lists/describe-item.ts'
import { formatMoment, formatSize } from '../../lib/format.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { Dropdown } from '../../ui/Dropdown.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './VersionList.module.css'
import { VersionNameForm } from './VersionNameForm.tsx'
import { describeReplacer, describeWhen } from './version-texts.ts'

interface CurrentVersionRowProps {
  readonly file: File
  readonly name: string | null
}

/** The content that the file has now. */
export function CurrentVersionRow({ file, name }: CurrentVersionRowProps) {
  return (
    <div className={styles.row} data-current>
      <div className={styles.text}>
        {name !== null && <VersionName name={name} />}
        <p className={styles.when}>Current version</p>
        <Details parts={[formatSize(contentSizeOf(file)), <OwnDate key="date" time={file.modifiedAt} />]} />
      </div>
    </div>
  )
}

export type VersionAction = 'preview' | 'download' | 'restore' | 'name' | 'delete'

interface VersionRowProps {
  readonly file: File
  readonly version: Version
  /** What is being done with the version now. */
  readonly busy: VersionAction | undefined
  readonly isEditing: boolean
  readonly onAction: (action: VersionAction) => void
  /** Rejects if the server refuses the name. */
  readonly onRename: (name: string) => Promise<void>
  readonly onStopEditing: () => void
}

/** A menu returns the focus within this time after a choice, in milliseconds. What the choice opens takes it then. */
const MENU_FOCUS_TIME = 30

/** An earlier version of a file, with what can be done with it. */
export function VersionRow({ file, version, busy, isEditing, onAction, onRename, onStopEditing }: VersionRowProps) {
  const isPhone = useIsPhone()
  const { email } = useSession()
  const { name, createdAt, modifiedAt, isDamaged } = version
  const when = describeWhen(createdAt)
  const size = contentSizeOf({ size: version.size, isEncrypted: file.isEncrypted })
  const choices = choicesFor(version)
  const run = (action: VersionAction) => busy === undefined && onAction(action)
  return (
    <div className={styles.row}>
      <div className={styles.text}>
        {name !== null && !isEditing && <VersionName name={name} />}
        <p className={styles.when}>
          Replaced <time dateTime={createdAt}>{when}</time>
        </p>
        <Details
          parts={[formatSize(size), describeReplacer(version, email), <OwnDate key="date" time={modifiedAt} />]}
        />
        {isDamaged && (
          <p className={styles.damaged}>
            <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
            Damaged: its stored bytes can't be read. Other versions aren't affected.
          </p>
        )}
        {isEditing && <VersionNameForm name={name} when={when} onSubmit={onRename} onCancel={onStopEditing} />}
      </div>
      {isPhone ? (
        <Dropdown position="bottom-end">
          <Menu.Target>
            <IconButton
              label={`Actions for the version replaced ${when}`}
              loading={busy !== undefined}
              data-control="menu"
              data-menu
            >
              <IconDotsVertical size={20} stroke={1.75} />
            </IconButton>
          </Menu.Target>
          <Menu.Dropdown>
            {choices.map(({ action, label, Icon, isDisabled }) => (
              <Menu.Item
                key={action}
                leftSection={<Icon size={18} stroke={1.75} />}
                disabled={isDisabled}
                className={action === 'delete' ? styles.dangerous : undefined}
                onClick={() => setTimeout(() => run(action), MENU_FOCUS_TIME)}
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Dropdown>
      ) : (
        <div className={styles.actions}>
          {choices.map(({ action, label, Icon, isDisabled }) => (
            <IconButton
              key={action}
              label={`${label} the version replaced ${when}`}
              data-control={action}
              loading={busy === action}
              disabled={isDisabled}
              onClick={() => run(action)}
            >
              <Icon size={18} stroke={1.75} />
            </IconButton>
          ))}
        </div>
      )}
    </div>
  )
}

interface Choice {
  readonly action: VersionAction
  readonly label: string
  readonly Icon: TablerIcon
  readonly isDisabled?: boolean
}

function choicesFor({ name, isDamaged }: Version): Choice[] {
  return [
    { action: 'preview', label: 'Preview', Icon: IconEye, isDisabled: isDamaged },
    { action: 'download', label: 'Download', Icon: IconDownload, isDisabled: isDamaged },
    { action: 'restore', label: 'Restore', Icon: IconArrowBackUp, isDisabled: isDamaged },
    { action: 'name', label: name === null ? 'Name' : 'Rename', Icon: IconPencil },
    { action: 'delete', label: 'Delete', Icon: IconTrash },
  ]
}

/** Marks a version that is never removed automatically. */
function VersionName({ name }: { readonly name: string }) {
  return (
    <p className={styles.name}>
      <IconBookmarkFilled size={14} aria-hidden />
      <bdi dir="auto">{name}</bdi>
    </p>
  )
}

/** The modification date of the content. */
function OwnDate({ time }: { readonly time: string }) {
  return (
    <>
      modified <time dateTime={time}>{formatMoment(time)}</time>
    </>
  )
}

function Details({ parts }: { readonly parts: readonly ReactNode[] }) {
  return (
    <p className={styles.details}>
      {parts.filter(Boolean).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
        <span key={index}>
          {index > 0 && ' · '}
          <bdi className={styles.part}>{part}</bdi>
        </span>
      ))}
    </p>
  )
}
