import { type ComponentType, createContext, useContext } from 'react'
import type { UploadView } from '../upload-view.ts'

type Part = ComponentType<{ readonly upload: UploadView }>

/** What rows offer to the owner of the storage. Visitors who send files to somebody else have none of it. */
export interface RowParts {
  /** What helps if an upload has failed: free space, or releasing locks. */
  readonly Help: Part
  /** Warnings of the names of stored files. */
  readonly Notes: Part
  /** Leads to the folder of a stored file. */
  readonly ShowButton: Part
  /** Leads to the vault, to choose an encrypted file again. */
  readonly ToVaultButton: Part
}

export const RowPartsContext = createContext<RowParts | undefined>(undefined)

export function useRowParts(): RowParts | undefined {
  return useContext(RowPartsContext)
}
