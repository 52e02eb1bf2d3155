import { Notice } from '../../../ui/Notice.tsx'
import { isInsecure } from './connection.ts'

/** Warns if the address of the server isn't encrypted. */
export function InsecureNotice({ address }: { readonly address: string }) {
  if (!isInsecure(address)) return null
  return (
    <Notice
      tone="warning"
      text="This address is not encrypted (http). Others on the network could read the app password, and many apps refuse to connect. Open Alcove at an https address first."
    />
  )
}
