import { lazyModule, useLazyModule } from '../lib/lazy-module.ts'

const place = lazyModule(() => import('./ToastPlace.tsx'), 'soon')

/** Where toasts appear. One that is shown before this has been fetched waits for it. */
export function Toasts() {
  const part = useLazyModule(place, false)
  return part ? <part.ToastPlace /> : null
}
