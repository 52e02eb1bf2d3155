import { useParams, useSearchParams } from 'react-router'
import type { DecryptorProps } from '../features/sharing/visit/EncryptedFile.tsx'
import { SharedView } from '../features/sharing/visit/SharedView.tsx'
import { ShareFrame } from '../features/sharing/visit/ShareFrame.tsx'
import { lazyModule, useLazyModule } from '../lib/lazy-module.ts'

const decryptor = lazyModule(() => import('../features/vault/share/LinkDecryptor.tsx'))

/** Loaded only for encrypted files. */
function LazyDecryptor(props: DecryptorProps) {
  const module = useLazyModule(decryptor)
  return module ? <module.LinkDecryptor {...props} /> : null
}

/** The page of a public link. The address has the current folder inside it: `/s/<token>?folder=<id>`. */
export function SharePage() {
  const { token = '' } = useParams()
  const [parameters] = useSearchParams()
  return (
    <ShareFrame>
      <SharedView
        key={token}
        token={token}
        folderId={parameters.get('folder') || undefined}
        Decryptor={LazyDecryptor}
      />
    </ShareFrame>
  )
}
