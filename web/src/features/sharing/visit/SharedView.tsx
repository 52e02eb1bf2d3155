import type { OutputOf } from '@alcove/contract/call'
import { type getPublicItem, unlockPublicLink } from '@alcove/contract/sharing'
import { Button, PasswordInput } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, type SubmitEvent, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiError } from '../../../api/api.ts'
import { getLinkAccess, setLinkAccess } from '../../../api/session.ts'
import { useCall } from '../../../api/use-call.ts'
import { useLeftFolder } from '../../../items/grid/arrivals.ts'
import { useLoaded } from '../../../lib/lazy-module.ts'
import { siteName } from '../../../lib/site.ts'
import { useDelayed } from '../../../lib/use-delayed.ts'
import { PadlockNiche, VaseNiche } from '../../../ui/art/niches.tsx'
import { BusyButton } from '../../../ui/BusyButton.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { Decryptor } from './EncryptedFile.tsx'
import styles from './LinkMessage.module.css'
import { linkAddress, type Visit } from './link-address.ts'
import { problemOf, publicItem, usePublicDownload } from './public-item.ts'
import { SharedFile, ShareSkeleton } from './SharedFile.tsx'
import { SharedFolder } from './SharedFolder.tsx'
import { useFocusedHeading } from './ShareFrame.tsx'
import type { RequestPage } from './send/RequestPage.tsx'

interface SharedViewProps {
  readonly token: string
  /** The folder inside the link; undefined for the shared item itself. */
  readonly folderId: string | undefined
  readonly Decryptor: Decryptor
}

/** Skeletons appear only if loading takes longer than this, in milliseconds. */
const SKELETON_DELAY = 150

/** Shows what a public link shares, or the form for its password, or that nothing is shared. */
export function SharedView({ token, folderId, Decryptor }: SharedViewProps) {
  const [access, setAccess] = useState(() => getLinkAccess(token))
  const [hasUnlocked, setUnlocked] = useState(false)
  const { key } = useLocation()
  const [firstKey] = useState(key)
  // The element that had the focus is gone: the tile of the folder, or the form.
  const isArrival = key !== firstKey || hasUnlocked
  const leftId = useLeftFolder(folderId)
  const visit = { token, access }
  const { data, error, isPending, isPaused, isFetching, refetch } = useQuery(publicItem(visit, folderId))
  const onDownload = usePublicDownload(visit, folderId)
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const problem = error && problemOf(error)
  // Without a name: it isn't known yet, or must not be revealed.
  useDocumentTitle(data && !problem ? `${titleOf(data)} · ${siteName}` : `Shared with you · ${siteName}`)

  const isLocked = problem === 'locked'
  useEffect(() => {
    if (isLocked) setLinkAccess(token, undefined)
  }, [isLocked, token])

  function open(granted: string) {
    setLinkAccess(token, granted)
    setAccess(granted)
    setUnlocked(true)
  }

  if (isLocked) return <UnlockForm token={token} wasOpen={access !== undefined} onUnlock={open} />
  if (problem === 'missing') {
    // What had the focus is gone, also if the link ended while its page was open.
    return <LinkMissing visit={visit} isInside={folderId !== undefined} takesFocus={isArrival || data !== undefined} />
  }
  // Data that was loaded stays visible when refetching fails.
  if (data?.type === 'request') return <LazyRequest visit={visit} request={data} takesFocus={isArrival} />
  if (data?.type === 'file')
    return <SharedFile {...{ visit, file: data, takesFocus: isArrival, onDownload, Decryptor }} />
  if (data) {
    const props = { visit, folder: data, takesFocus: isArrival, leftId, onDownload, Decryptor }
    return <SharedFolder key={data.id} {...props} />
  }
  if (problem) {
    return <LoadError text="Couldn’t open this link." isBusy={isFetching} onRetry={() => void refetch()} />
  }
  if (isPaused) return <Notice tone="info" text="You are offline. The link opens when you are back online." />
  return showsSkeleton && <ShareSkeleton />
}

/** Loads what sends files only for links that ask for some. */
function LazyRequest(props: ComponentProps<typeof RequestPage>) {
  const [hasFailed, setFailed] = useState(false)
  const page = useLoaded(
    () => import('./send/RequestPage.tsx'),
    () => setFailed(true),
  )
  if (hasFailed) {
    return <LoadError text="Couldn’t open this link." isBusy={false} onRetry={() => window.location.reload()} />
  }
  return page ? <page.RequestPage {...props} /> : <ShareSkeleton />
}

interface UnlockFormProps {
  readonly token: string
  /** Whether the link was open before: its password has changed, or access has expired. */
  readonly wasOpen: boolean
  readonly onUnlock: (access: string) => void
}

/** Asks for the password of a link. Until it is unlocked, the link reveals nothing, not even a name. */
function UnlockForm({ token, wasOpen, onUnlock }: UnlockFormProps) {
  const { mutate, isPending } = useCall(unlockPublicLink)
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()

  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (password === '') return setProblem('Enter the password.')
    mutate(
      { token, password },
      {
        onSuccess: ({ access }) => onUnlock(access),
        onError: (error) => setProblem((error instanceof ApiError && error.text) || 'Couldn’t open the link.'),
      },
    )
  }

  return (
    <div className={styles.message}>
      <PadlockNiche className={styles.art} />
      <h1 className={styles.title}>This link needs a password</h1>
      <p className={styles.text}>{wasOpen ? 'Enter it again to continue.' : 'Ask the person who sent you the link.'}</p>
      <form className={styles.form} onSubmit={submit} noValidate>
        <PasswordInput
          label="Password"
          size="md"
          autoFocus
          autoComplete="off"
          value={password}
          error={problem}
          onChange={(event) => {
            setPassword(event.currentTarget.value)
            setProblem(undefined)
          }}
        />
        <BusyButton type="submit" size="lg" loading={isPending}>
          Open
        </BusyButton>
      </form>
    </div>
  )
}

interface LinkMissingProps {
  readonly visit: Visit
  /** Whether a folder inside the link is missing: the link itself may still work. */
  readonly isInside: boolean
  /** Whether the heading takes the focus. */
  readonly takesFocus: boolean
}

/** The page of a link that shares nothing. It doesn't reveal why. */
function LinkMissing({ visit, isInside, takesFocus }: LinkMissingProps) {
  const heading = useFocusedHeading(takesFocus)
  return (
    <div className={styles.message}>
      <VaseNiche className={styles.art} />
      <h1 ref={heading} className={styles.title} tabIndex={-1}>
        {isInside ? 'This folder isn’t here' : 'Nothing is shared here'}
      </h1>
      <p className={styles.text}>
        {isInside
          ? 'It may have been moved or deleted, or is no longer shared.'
          : 'This link doesn’t exist, or is no longer shared. Ask the sender for a new one.'}
      </p>
      {isInside ? (
        <Button component={Link} to={linkAddress(visit)} mt="md">
          Go to the shared folder
        </Button>
      ) : (
        <Button component={Link} to="/" variant="default" mt="md">
          Home
        </Button>
      )}
    </div>
  )
}

function titleOf(shown: OutputOf<typeof getPublicItem>): string {
  return shown.type === 'request' ? (shown.title ?? 'Send files') : shown.name
}
