import { lazyModule } from '../../../lib/lazy-module.ts'
import { notifyError } from '../../../ui/toasts/notify.tsx'
import type { Failure } from './show-failure.ts'

const failures = lazyModule(() => import('./show-failure.ts'), 'soon')

/** Shows why a change failed, and offers what can be done about it. */
export function reportFailure(error: unknown, failure: Failure): void {
  failures.load().then(
    ({ showFailure }) => showFailure(error, failure),
    () => notifyError(failure.text(failure.chosen)),
  )
}
