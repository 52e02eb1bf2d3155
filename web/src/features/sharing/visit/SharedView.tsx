import { useDocumentTitle } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useNavigationType } from 'react-router'
import { getLinkAccess, setLinkAccess } from '../../../api/session.ts'
import { useDelayed } from '../../../lib/use-delayed.ts'
import { LoadError } from '../../../ui/LoadError.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import type { Decryptor } from './EncryptedFile.tsx'
import { LinkMissing } from './LinkMissing.tsx'
import { problemOf, usePublicItem } from './queries.ts'
import { SharedFile } from './SharedFile.tsx'
import { SharedFolder } from './SharedFolder.tsx'
import { ShareSkeleton } from './ShareSkeleton.tsx'
import { UnlockForm } from './UnlockForm.tsx'

interface SharedViewProps {
  readonly token: string
  /** The folder inside the link; undefined for the shared item itself. */
  readonly folderId: string | undefined
  readonly Decryptor: Decryptor
}

/** Skeletons come only when loading takes long enough to be noticed. */
const SKELETON_DELAY = 150

/** What a public link shows to whoever opens it. */
export function SharedView({ token, folderId, Decryptor }: SharedViewProps) {
  const [access, setAccess] = useState(() => getLinkAccess(token))
  const [hasUnlocked, setUnlocked] = useState(false)
  // What had the focus has gone: the folder's tile, or the form.
  const isArrival = useNavigationType() === 'PUSH' || hasUnlocked
  const visit = { token, access }
  const { data, error, isPending, isPaused, isFetching, refetch } = usePublicItem(visit, folderId)
  const showsSkeleton = useDelayed(isPending, SKELETON_DELAY)
  const problem = error && problemOf(error)
  // Before the name is known, and where it must not be.
  useDocumentTitle(data && !problem ? `${data.name} · Alcove` : 'Shared with you · Alcove')

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
  if (problem === 'missing') return <LinkMissing visit={visit} isInside={folderId !== undefined} />
  // What has been there before stays while it is asked for again in vain.
  if (data?.type === 'file')
    return <SharedFile visit={visit} file={data} takesFocus={isArrival} Decryptor={Decryptor} />
  if (data)
    return <SharedFolder key={data.id} visit={visit} folder={data} takesFocus={isArrival} Decryptor={Decryptor} />
  if (problem) {
    return <LoadError text="This link could not be opened." isBusy={isFetching} onRetry={() => void refetch()} />
  }
  if (isPaused) return <Notice tone="info" text="You are offline. This opens by itself when the connection is back." />
  return showsSkeleton && <ShareSkeleton />
}
