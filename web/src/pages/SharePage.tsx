import { useParams, useSearchParams } from 'react-router'
import type { DecryptorProps } from '../features/sharing/visit/EncryptedFile.tsx'
import { SharedView } from '../features/sharing/visit/SharedView.tsx'
import { ShareFrame } from '../features/sharing/visit/ShareFrame.tsx'
import { lazyModule, useLazyModule } from '../lib/lazy-module.ts'

const decryptor = lazyModule(() => import('../features/vault/share/LinkDecryptor.tsx'))

/** Fetched only for what is encrypted. */
function LaterDecryptor(props: DecryptorProps) {
  const part = useLazyModule(decryptor)
  return part ? <part.LinkDecryptor {...props} /> : null
}

/** What a public link shares, for anyone. A folder inside it stands in the address: `/s/<token>?folder=<id>`. */
export function SharePage() {
  const { token = '' } = useParams()
  const [parameters] = useSearchParams()
  return (
    <ShareFrame>
      <SharedView
        key={token}
        token={token}
        folderId={parameters.get('folder') || undefined}
        Decryptor={LaterDecryptor}
      />
    </ShareFrame>
  )
}
