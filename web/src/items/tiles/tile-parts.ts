import type { File } from '@alcove/contract/items'
import type { ReactNode } from 'react'

/** What the tiles and rows of files show otherwise than in the drive; the same object for as long as a list is shown. */
export interface TileParts {
  /** What the file looks like, in place of its thumbnail. */
  readonly Picture: (props: { readonly file: File; readonly isSmall?: boolean }) => ReactNode
  /** Whether that tells in letters of what type the file is. */
  readonly showsType: (file: File) => boolean
  /** What the foot says, for the name that readers hear. */
  readonly footLabel: string
  /** Stands below a tile, and at the end of a row. */
  readonly Foot: (props: { readonly file: File; readonly isActive: boolean; readonly isSmall?: boolean }) => ReactNode
}
