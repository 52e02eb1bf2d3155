import { VisuallyHidden } from '@mantine/core'
import { IconCircle, IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react'
import styles from './RuleLine.module.css'

interface RuleLineProps {
  readonly text: string
  /** Undefined as long as nothing is judged. */
  readonly isMet?: boolean
  /** What readers hear of `isMet`, where the text does not say it. */
  readonly spoken?: string
}

/** A rule with its sign: a color alone would not tell everyone. */
export function RuleLine({ text, isMet, spoken }: RuleLineProps) {
  const Icon = isMet === undefined ? IconCircle : isMet ? IconCircleCheckFilled : IconCircleXFilled
  return (
    <span className={styles.rule} data-state={isMet === undefined ? 'open' : isMet ? 'met' : 'unmet'}>
      <Icon size={15} aria-hidden />
      <span>
        {text}
        {spoken && <VisuallyHidden component="span"> {spoken}</VisuallyHidden>}
      </span>
    </span>
  )
}
