import type { ReactNode } from 'react'
import type { PreviewItem } from './preview-item.ts'
import type { PreviewProblem } from './preview-texts.ts'

export interface ViewerProps {
  /** The same for as long as the viewer lives. */
  readonly item: PreviewItem
  readonly isInline: boolean
  readonly onFail: (problem: PreviewProblem) => void
}

/** What shows the files of one kind. */
export type Viewer = (props: ViewerProps) => ReactNode
