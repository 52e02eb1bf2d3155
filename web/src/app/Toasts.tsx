import { later, useLater } from '../lib/later.ts'

const place = later(() => import('./ToastPlace.tsx'), 'soon')

/** Where toasts appear. One that is shown before this has been fetched waits for it. */
export function Toasts() {
  const part = useLater(place, false)
  return part ? <part.ToastPlace /> : null
}
