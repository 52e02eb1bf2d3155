import type { ComponentPropsWithRef } from 'react'
import styles from './TileButton.module.css'

interface TileButtonProps extends ComponentPropsWithRef<'button'> {
  /** What the button does and to what: its name for readers, and what the grid's tooltip says. */
  readonly label: string
}

/**
 * An icon button of a tile: a plain element that shares the grid's one tooltip, since with a hundred tiles in the
 * document and more coming with every turn of the wheel each must cost next to nothing.
 */
export function TileButton({ label, className, ...others }: TileButtonProps) {
  return <button type="button" aria-label={label} className={`${styles.button} ${className}`} {...others} />
}
