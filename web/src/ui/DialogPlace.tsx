import { ModalsProvider } from '@mantine/modals'
import { useEffect } from 'react'

interface DialogPlaceProps {
  /** Called once dialogs can be opened. */
  readonly onReady: () => void
}

/** Where dialogs appear. */
export function DialogPlace({ onReady }: DialogPlaceProps) {
  return (
    <ModalsProvider>
      <Ready onReady={onReady} />
    </ModalsProvider>
  )
}

/** Its effect runs after those by which the provider begins to listen. */
function Ready({ onReady }: DialogPlaceProps) {
  useEffect(onReady, [onReady])
  return null
}
