import { Transition, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../../lib/session.ts'
import { uploads, useUploads } from '../../lib/uploads.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { showTray, useIsTrayShown } from './tray-visibility.ts'
import { UploadList } from './UploadList.tsx'
import styles from './UploadTray.module.css'
import { summaryOf, titleOf } from './upload-texts.ts'
import { useProgressAnnouncement } from './use-progress-announcement.ts'
import { useUploadRefresh, useUploadToasts } from './use-upload-effects.ts'

/** All uploads, at the foot of every signed-in screen. Closing it stops nothing. */
export function UploadTray() {
  const snapshot = useUploads()
  const { views, uploading, waiting, paused, inConflict, sent, total } = snapshot
  const isShown = useIsTrayShown()
  const [isCollapsed, setIsCollapsed] = useState(false)
  const tray = useRef<HTMLElement>(null)
  const announcement = useProgressAnnouncement(snapshot)
  useOwner()
  useUploadToasts()
  useUploadRefresh()
  useHotkeys([['F6', () => tray.current?.focus()]], [])
  const isRunning = uploading + waiting > 0

  function close() {
    showTray(false)
    if (!isRunning && paused + inConflict === 0) uploads.clearSettled()
  }

  return (
    <>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <Transition mounted={isShown && views.length > 0} transition="slide-up" duration={240} exitDuration={160}>
        {(style) => (
          <section ref={tray} className={styles.tray} style={style} aria-label="Uploads" tabIndex={-1}>
            <header className={styles.header}>
              <div className={styles.heading}>
                <h2 className={styles.title}>{titleOf(snapshot)}</h2>
                <p className={styles.summary}>{summaryOf(snapshot)}</p>
              </div>
              {isRunning && (
                <IconButton label="Pause all uploads" onClick={uploads.pauseAll}>
                  <IconPlayerPause size={18} stroke={1.75} />
                </IconButton>
              )}
              {!isRunning && views.some(({ status, needsFile }) => status === 'paused' && !needsFile) && (
                <IconButton label="Resume all uploads" onClick={uploads.resumeAll}>
                  <IconPlayerPlay size={18} stroke={1.75} />
                </IconButton>
              )}
              <IconButton
                label={isCollapsed ? 'Show the list of uploads' : 'Hide the list of uploads'}
                aria-expanded={!isCollapsed}
                onClick={() => setIsCollapsed(!isCollapsed)}
              >
                {isCollapsed ? <IconChevronUp size={18} stroke={1.75} /> : <IconChevronDown size={18} stroke={1.75} />}
              </IconButton>
              <IconButton label="Close uploads" onClick={close}>
                <IconX size={18} stroke={1.75} />
              </IconButton>
            </header>
            <div className={styles.total} aria-hidden>
              <div className={styles.totalBar} style={{ width: `${total > 0 ? (sent / total) * 100 : 0}%` }} />
            </div>
            {!isCollapsed && <UploadList views={views} isOffline={snapshot.isOffline} />}
          </section>
        )}
      </Transition>
    </>
  )
}

/** The uploads belong to who is signed in; each new one opens the tray. */
function useOwner(): void {
  const { email } = useSession()
  useEffect(() => uploads.listen({ added: () => showTray(true) }), [])
  useEffect(() => {
    if (email) void uploads.open(email)
  }, [email])
}
