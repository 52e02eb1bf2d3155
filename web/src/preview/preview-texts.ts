export const PREVIEW_FAILED = 'Failed to preview file.'
const PREVIEW_UNSUPPORTED = 'Preview not available for this file type.'

/** Why a file is not to be seen. */
export type PreviewProblem =
  /** There is no way to show such a file. */
  | 'unsupported'
  /** Its bytes are there, but are not what its name says. */
  | 'broken'
  /** This browser does not know the format of its sound or pictures. */
  | 'unplayable'
  /** Its bytes cannot be had just now. */
  | 'unreachable'

export const problemTexts: Record<PreviewProblem, string> = {
  unsupported: PREVIEW_UNSUPPORTED,
  broken: 'This file cannot be shown. It may be damaged.',
  unplayable: 'This browser cannot play this format. Download the file to play it in another program.',
  unreachable: PREVIEW_FAILED,
}
