import { Notifications } from '@mantine/notifications'
import { InlineToasts } from '../ui/toasts/InlineToasts.tsx'

/** Below previews (190) and dialogs (200), above everything else on a page. */
const Z_INDEX = 189

/** Loaded lazily, unlike the function that shows a toast, which every screen has from the start. */
export function ToastPlace() {
  return (
    <>
      <Notifications position="bottom-center" containerWidth={360} zIndex={Z_INDEX} />
      <InlineToasts />
    </>
  )
}
