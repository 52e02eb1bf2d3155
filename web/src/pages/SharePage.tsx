import { useParams, useSearchParams } from 'react-router'
import { SharedView } from '../features/sharing/visit/SharedView.tsx'
import { ShareFrame } from '../features/sharing/visit/ShareFrame.tsx'

/** What a public link shares, for anyone. A folder inside it stands in the address: `/s/<token>?folder=<id>`. */
export function SharePage() {
  const { token = '' } = useParams()
  const [parameters] = useSearchParams()
  return (
    <ShareFrame>
      <SharedView key={token} token={token} folderId={parameters.get('folder') || undefined} />
    </ShareFrame>
  )
}
