import { ActionIcon, Popover, Tooltip } from '@mantine/core'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { storageQuery } from '../../api/fetch-storage.ts'
import { useUnreadNotices } from '../../api/unread-notices.ts'
import { lazyModule, useLazyModule } from '../../lib/lazy-module.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { useMenu } from '../../ui/dialogs/open-layers.ts'
import styles from './NoticeBell.module.css'

const panel = lazyModule(() => import('./NoticePanel.tsx'))

/** More are shown as this number and a plus sign. */
const MAX_SHOWN = 99

/** The bell in the header with the number of unread notices. It opens the panel: below it, or as a sheet on phones. */
export function NoticeBell() {
  const [isOpen, setIsOpen] = useState(false)
  const isPhone = useIsPhone()
  const unread = useUnreadNotices()
  const module = useLazyModule(panel, isOpen)
  // The page has requested it, or it is requested now; it isn't requested twice.
  useQuery({ ...storageQuery, refetchOnMount: false })
  const close = () => setIsOpen(false)
  const isBelow = isOpen && !isPhone && module !== undefined
  useMenu(isBelow, close)

  const label = unread === 0 ? 'Notices' : `Notices, ${unread} unread`
  const bell = (
    // The tooltip would cover the panel.
    <Tooltip label={label} disabled={isOpen}>
      <ActionIcon
        className={styles.bell}
        size={44}
        aria-label={label}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconBell size={20} stroke={1.75} />
        {unread > 0 && (
          <span className={styles.count} aria-hidden>
            {unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
          </span>
        )}
      </ActionIcon>
    </Tooltip>
  )
  return (
    <>
      <Popover
        opened={isBelow}
        onChange={setIsOpen}
        position="bottom-end"
        width={400}
        radius={20}
        shadow="lg"
        offset={4}
        trapFocus
        returnFocus
        withRoles={false}
        hideDetached={false}
        transitionProps={{ transition: 'pop-top-right', duration: 180 }}
      >
        <Popover.Target>
          <span className={styles.target}>{bell}</span>
        </Popover.Target>
        <Popover.Dropdown className={styles.popover} role="dialog" aria-label="Notices">
          {module && <module.NoticePanel onClose={close} />}
        </Popover.Dropdown>
      </Popover>
      {module && isPhone && <module.NoticeSheet isOpen={isOpen} onClose={close} />}
    </>
  )
}
