import type { Announcement } from '@alcove/contract/site'
import { IconAlertTriangle, IconSpeakerphone, IconX } from '@tabler/icons-react'
import { Fragment, useEffect, useState } from 'react'
import { updateSession, useSession } from '../../api/session.ts'
import { announced } from '../../api/site-state.ts'
import { announcementOfPage } from '../../lib/site.ts'
import { useStore } from '../../lib/store.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './AnnouncementBar.module.css'

/** Shows what the operator tells everybody, until it ends or the user closes it. Another text shows again. */
export function AnnouncementBar() {
  const fresh = useStore(announced)
  const announcement = fresh === undefined ? readFromPage() : fresh
  const isOver = useIsOver(announcement?.until ?? null)
  const { closedAnnouncement } = useSession()
  const isShown = announcement && !isOver && closedAnnouncement !== announcement.text
  // Always in the document, so that screen readers read out what appears later.
  return (
    <div role="status">
      {isShown && (
        <div className={styles.bar} data-tone={announcement.tone}>
          <span className={styles.icon} aria-hidden>
            {announcement.tone === 'warning' ? (
              <IconAlertTriangle size={20} stroke={1.75} />
            ) : (
              <IconSpeakerphone size={20} stroke={1.75} />
            )}
          </span>
          <p className={styles.text} dir="auto">
            <LinkedText text={announcement.text} />
          </p>
          <IconButton
            label="Close the announcement"
            onClick={() => updateSession({ closedAnnouncement: announcement.text })}
          >
            <IconX size={18} stroke={1.75} />
          </IconButton>
        </div>
      )}
    </div>
  )
}

function readFromPage(): Announcement | undefined {
  const text = announcementOfPage()
  return text ? (JSON.parse(text) as Announcement) : undefined
}

/** Browsers count the time of timers in 32 bits. */
const LONGEST_TIMER = 2 ** 31 - 1

function useIsOver(until: string | null): boolean {
  const [now, setNow] = useState(Date.now)
  const end = until === null ? Number.POSITIVE_INFINITY : Date.parse(until)
  useEffect(() => {
    const left = end - Date.now()
    if (left === Number.POSITIVE_INFINITY) return
    const timer = setTimeout(() => setNow(Date.now()), Math.min(Math.max(left, 0), LONGEST_TIMER))
    return () => clearTimeout(timer)
  }, [end])
  return end <= now
}

const ADDRESS = /(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])/

/** Shows a text in which web addresses are links. */
function LinkedText({ text }: { readonly text: string }) {
  return text.split(ADDRESS).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move
    <Fragment key={index}>
      {index % 2 === 1 ? (
        <a href={part} target="_blank" rel="noopener noreferrer">
          {part}
        </a>
      ) : (
        part
      )}
    </Fragment>
  ))
}
