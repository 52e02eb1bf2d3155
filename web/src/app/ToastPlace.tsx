import { Notifications } from '@mantine/notifications'
import { InlineToasts } from '../ui/toasts/InlineToasts.tsx'

/** Below previews (190) and dialogs (200), and above all else of a page. */
const Z_INDEX = 189

/** Apart from what shows a toast, which every screen has from the start. */
export function ToastPlace() {
  return (
    <>
      <Notifications position="bottom-center" containerWidth={360} zIndex={Z_INDEX} />
      <InlineToasts />
    </>
  )
}
