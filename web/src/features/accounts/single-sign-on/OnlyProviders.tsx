import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { lazyModule, useLazyModule } from '../../../lib/lazy-module.ts'
import { useIsHydrated } from '../../../lib/use-is-hydrated.ts'
import { useSignInOptions } from './queries.ts'

const screen = lazyModule(() => import('./ProviderScreen.tsx'))

interface OnlyProvidersProps {
  /** Whether the visitor wants an account. */
  readonly isRegistering?: boolean
  readonly children: ReactNode
}

/**
 * Shows only the providers, or leads straight to one, where passwords are switched off or the operator wants that. `?here` shows the
 * form, for administrators.
 */
export function OnlyProviders({ isRegistering = false, children }: OnlyProvidersProps) {
  const options = useSignInOptions()
  const [parameters] = useSearchParams()
  // The page is prerendered without its query.
  const isHere = useIsHydrated() && parameters.has('here')
  const isWanted = options !== undefined && !isHere && (!options.hasPasswords || options.straightTo !== null)
  const module = useLazyModule(screen, isWanted)
  return isWanted && module ? <module.ProviderScreen options={options} isRegistering={isRegistering} /> : children
}
