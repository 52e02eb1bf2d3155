import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { HeartNiche } from '../../ui/art/niches.tsx'
import { afterDialogs } from '../../ui/dialogs/after-dialogs.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'

interface EmptyFavoritesProps {
  /** The last favorite has just gone, and with it what had the focus. */
  readonly hasJustEmptied: boolean
}

export function EmptyFavorites({ hasJustEmptied }: EmptyFavoritesProps) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!hasJustEmptied) return
    return afterDialogs(() => {
      if (document.activeElement === document.body) title.current?.focus()
    })
  }, [hasJustEmptied])
  return (
    <EmptyState
      art={<HeartNiche />}
      title="Add Favorites"
      titleRef={title}
      hint="Tap the heart on any file or folder and it will be waiting here, wherever it is stored."
      action={
        <Button component={Link} to="/profile">
          Go to your files
        </Button>
      }
    />
  )
}
