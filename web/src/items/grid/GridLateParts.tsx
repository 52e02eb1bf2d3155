import type { ComponentProps } from 'react'
import { GridTooltip } from './GridTooltip.tsx'
import { useClosingUp } from './use-closing-up.ts'

type GridLatePartsProps = ComponentProps<typeof GridTooltip> & Parameters<typeof useClosingUp>[0]

/** What a grid needs only after the first screen: its tooltip, and the animation of removed items. */
export function GridLateParts({ within, ...shown }: GridLatePartsProps) {
  useClosingUp(shown)
  return <GridTooltip within={within} />
}
