import type { OnConflict } from '@alcove/contract/uploads'
import type { SessionUser } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Area, UploadRow } from '../../platform/db/tables.ts'
import { assertMayAddTo, getOwnPlace, type Place } from '../items/index.ts'

/** Where an upload goes and how it lands there. */
export interface Destination {
  folderId: string | undefined
  /** Names of the folders below `folderId`, created where they are missing. */
  folders: string[]
  area: Area
  /** Whether it was said to be for the vault; undefined where it goes wherever its folder is. */
  isEncrypted?: boolean | undefined
  onConflict: OnConflict
  /** Of a file that goes to the vault. */
  vaultCheck?: string | undefined
}

export interface DestinationInput {
  folderId?: string | undefined
  parentFolderId?: string | undefined
  relativePath?: string[] | undefined
  folderPath?: string[] | undefined
  isEncrypted?: boolean | undefined
  onConflict?: OnConflict | undefined
  vaultCheck?: string | undefined
}

/** Reads where an upload goes; what is not said is taken from `before`, what was said when it began. */
export function readDestination(input: DestinationInput, before?: Destination): Destination {
  const area = input.isEncrypted === undefined ? (before?.area ?? 'drive') : input.isEncrypted ? 'vault' : 'drive'
  return {
    folderId: input.parentFolderId ?? input.folderId ?? before?.folderId,
    // The relative path ends with the file's own name, the folder path does not.
    folders: input.relativePath?.slice(0, -1) ?? input.folderPath ?? before?.folders ?? [],
    area,
    isEncrypted: input.isEncrypted ?? before?.isEncrypted,
    onConflict: input.onConflict ?? before?.onConflict ?? 'keepBoth',
    vaultCheck: input.vaultCheck ?? before?.vaultCheck,
  }
}

export function destinationOf(upload: UploadRow): Destination {
  return {
    folderId: upload.folder_id ?? undefined,
    folders: JSON.parse(upload.folders) as string[],
    area: upload.area,
    onConflict: upload.on_conflict,
    vaultCheck: upload.vault_check ?? undefined,
  }
}

/** The folder an upload goes to; refuses one that is not there, is of the other area, or takes another plan. */
export async function openDestination(db: Database, user: SessionUser, destination: Destination): Promise<Place> {
  const place = await getOwnPlace(db, user, destination.folderId, destination.area)
  // Bytes that are said to be plain must not lie among encrypted ones, nor the other way round.
  const isApart = destination.area === 'vault' ? place.area !== 'vault' : place.area === 'vault'
  if (isApart && (destination.area === 'vault' || destination.isEncrypted === false)) throw inOtherArea()
  assertMayAddTo(place.area, user)
  return place
}

function inOtherArea(): AppError {
  return new AppError(
    'state_conflict',
    'Your files and the vault are separate: choose a folder of the vault for encrypted files, and another one for all others.',
  )
}
