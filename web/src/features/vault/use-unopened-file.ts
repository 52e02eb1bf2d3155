import { listItems } from '@alcove/contract/item-calls'
import type { File as StoredFile } from '@alcove/contract/items'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { send } from '../../lib/api.ts'
import { findFileAddress } from '../../lib/file-address.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { VAULT_ROOT } from '../../lib/vault-root.ts'
import { openEnvelope, VaultFailure } from './crypto/index.ts'
import { usePassphrase } from './passphrase.ts'

/** Who types is left alone. */
const PAUSE = 800
/** The latest items at the root among which a file is looked for. */
const LOOKED_AT = 50

/**
 * The name of a file of the vault that the passphrase does not open, so that a slip of the finger is seen before
 * anything is encrypted with it. Nothing while that is not known, or where there is no file to try.
 */
export function useUnopenedFile(): string | undefined {
  const passphrase = usePassphrase()
  const { data: sample } = useQuery({
    queryKey: [...queryKeys.folder(VAULT_ROOT), 'sample'],
    queryFn: ({ signal }) => findSample(signal),
  })
  const [unopened, setUnopened] = useState<{ readonly passphrase: string; readonly name: string }>()

  useEffect(() => {
    if (passphrase === '' || !sample) return
    const controller = new AbortController()
    const { signal } = controller
    const look = async () => {
      if (!(await opens(sample, passphrase, signal)) && !signal.aborted) setUnopened({ passphrase, name: sample.name })
    }
    const timer = setTimeout(() => void look(), PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [passphrase, sample])

  return unopened?.passphrase === passphrase ? unopened.name : undefined
}

async function findSample(signal: AbortSignal): Promise<StoredFile | null> {
  const latest = { vault: true, sort: 'updatedAt', order: 'desc', limit: LOOKED_AT } as const
  const { items } = await send(listItems, latest, { signal })
  return (items.find((item) => item.type === 'file' && item.vaultCheck !== undefined) as StoredFile | undefined) ?? null
}

/** False only where it is certain. */
async function opens({ id, vaultCheck }: StoredFile, passphrase: string, signal: AbortSignal): Promise<boolean> {
  try {
    await openEnvelope((options) => findFileAddress(id, options?.isFresh), passphrase, {
      checkValue: vaultCheck,
      signal,
    })
    return true
  } catch (error) {
    return !(error instanceof VaultFailure && error.kind === 'wrong-passphrase')
  }
}
