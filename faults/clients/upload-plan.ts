import type { Content } from '../content.ts'

/** A file on its way. */
export interface Upload {
  readonly id: string
  readonly name: string
  /** The name of the folder it goes to. */
  readonly folder: string | undefined
  readonly content: Content
  readonly chunkSize: number
  /** Whether the sizes are told at first; else the server finds out by the chunks. */
  readonly isAnnounced: boolean
  /** Whether it takes the place of a file of its name. */
  readonly isReplacing: boolean
  /** The chunks that were acknowledged and not sent again since. */
  readonly received: Set<number>
}

export type UploadPlan = Omit<Upload, 'id' | 'received'>
