import {
  type DeletionGroup,
  dismissDeletionGroup,
  listDeletionGroups,
  restoreDeletionGroup,
} from '@alcove/contract/trash'
import { IconAlertTriangle, IconEyeOff, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { send, sentenceOf } from '../../api/api.ts'
import { storageQuery } from '../../api/fetch-storage.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useAction } from '../../api/use-call.ts'
import { runChange } from '../../items/changes.ts'
import { offerUnlock } from '../../items/unlock.ts'
import { formatDay, plural } from '../../lib/format.ts'
import { BusyButton } from '../../ui/BusyButton.tsx'
import { confirm } from '../../ui/dialogs/dialogs.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { notifyError, notifySuccess, notifyWithAction } from '../../ui/toasts/notify.tsx'
import { describeMassDeletion } from './describe-mass-deletion.ts'
import styles from './MassDeletions.module.css'

const PAGES = ['/profile', '/trash']
const massDeletionsKey = ['mass-deletions']

/**
 * Shows what apps and members of shared folders have deleted in great numbers, on the pages with files and the trash. Requests nothing
 * if there is nothing.
 */
export function MassDeletions() {
  const { pathname } = useLocation()
  const isShown = PAGES.includes(pathname)
  // The page has requested it, or it is requested now; it isn't requested twice.
  const { data: storage } = useQuery({ ...storageQuery, enabled: isShown, refetchOnMount: false })
  const isAlarmed = isShown && storage?.has_mass_deletion === true
  const { data } = useQuery({
    queryKey: massDeletionsKey,
    queryFn: ({ signal }) => send(listDeletionGroups, {}, { signal }),
    enabled: isAlarmed,
  })
  if (!isAlarmed) return null
  return data?.deletionGroups.map((group) => <MassDeletion key={group.id} group={group} />)
}

function MassDeletion({ group }: { readonly group: DeletionGroup }) {
  const { id, app, appPassword, member } = group
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const banner = useFocusLeft()
  const [isRestored, setIsRestored] = useState(false)

  // Says how it went by itself, because the user may have left the page by then.
  const restore = useAction(async () => {
    try {
      const { files } = await runChange(queryClient, {
        touches: [massDeletionsKey, queryKeys.trash, queryKeys.storage, queryKeys.folders, queryKeys.favorites],
        call: () => send(restoreDeletionGroup, { id }),
      })
      setIsRestored(true)
      const restored = `${plural(files, 'file')} restored.`
      if (member !== undefined) {
        notifySuccess(
          `${restored} If ${member} should not delete them again, change their role under “Share With People” of the folder.`,
        )
        return
      }
      notifyWithAction(
        restored,
        { label: 'Apps and devices', run: () => void navigate('/account#security') },
        { detail: `If ${app} should not delete them again, revoke its app password “${appPassword}”.` },
      )
    } catch (error) {
      const text = sentenceOf(error) ?? 'Couldn’t restore the files. Try again.'
      notifyError(
        text,
        offerUnlock(queryClient, error, () => restore.mutate()),
      )
    }
  })

  const dismiss = useAction(async () => {
    const isSure = await confirm({
      question: 'Hide this message?',
      detail: `The files stay in the trash until ${formatDay(group.keptUntil)}.`,
      verb: 'Hide',
      icon: <IconEyeOff size={20} stroke={1.75} />,
    })
    if (!isSure) return
    try {
      await runChange(queryClient, {
        touches: [massDeletionsKey, queryKeys.storage],
        call: () => send(dismissDeletionGroup, { id }),
      })
    } catch {
      notifyError('Couldn’t hide the message. Try again.')
    }
  })

  return (
    <section className={styles.banner} ref={banner} aria-label={`Files deleted by ${app}`}>
      <IconAlertTriangle className={styles.icon} size={20} stroke={1.75} aria-hidden />
      <p className={styles.text} role="status">
        {describeMassDeletion(group)}
      </p>
      <BusyButton
        className={styles.restore}
        size="sm"
        loading={restore.isPending || isRestored}
        onClick={() => restore.mutate()}
      >
        Restore all
      </BusyButton>
      <IconButton className={styles.close} label="Hide this message" variant="subtle" onClick={() => dismiss.mutate()}>
        <IconX size={18} stroke={1.75} />
      </IconButton>
    </section>
  )
}

/** Moves the focus from a banner to the page in the moment the banner disappears. */
function useFocusLeft(): RefObject<HTMLElement | null> {
  const banner = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = banner.current
    return () => {
      if (element?.contains(document.activeElement)) document.querySelector('main')?.focus({ preventScroll: true })
    }
  }, [])
  return banner
}
