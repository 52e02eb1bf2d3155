import { useEffect } from 'react'
import { isKeyTaken } from '../../lib/shortcuts.ts'
import { adjust, seek, togglePlaying } from './player/player.ts'
import { getPlayer, getPlayerTime } from './player/player-state.ts'

/** How far an arrow key goes, in seconds. */
const STEP = 5

/** The keys of the Music screen: Space or K plays and pauses, arrows seek, M mutes. */
export function usePlayerKeys(): void {
  useEffect(() => {
    const keys: Record<string, () => void> = {
      ' ': togglePlaying,
      k: togglePlaying,
      m: () => adjust({ isMuted: !getPlayer().isMuted }),
      ArrowLeft: () => seek(getPlayerTime().position - STEP),
      ArrowRight: () => seek(getPlayerTime().position + STEP),
    }
    function handle(event: KeyboardEvent) {
      const run = keys[event.key]
      const isControl = event.target instanceof Element && event.target.closest('button, a, input, [role="slider"]')
      if (!run || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isControl || isKeyTaken(event)) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', handle)
    return () => document.removeEventListener('keydown', handle)
  }, [])
}
