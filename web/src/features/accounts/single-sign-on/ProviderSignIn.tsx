import { lazyModule, useLazyModule } from '../../../lib/lazy-module.ts'
import { useSignInOptions } from './queries.ts'

const buttons = lazyModule(() => import('./ProviderButtons.tsx'))

/** Offers the providers through which people sign in, if there are any. */
export function ProviderSignIn({ isRegistering = false }: { readonly isRegistering?: boolean }) {
  const providers = useSignInOptions()?.providers ?? []
  const module = useLazyModule(buttons, providers.length > 0)
  return providers.length > 0 && module ? (
    <module.ProviderButtons providers={providers} isRegistering={isRegistering} />
  ) : null
}
