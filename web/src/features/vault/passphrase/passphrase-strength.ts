import { zxcvbn, zxcvbnOptions } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

/** How strong a passphrase is against someone who has the encrypted files. */
export interface PassphraseStrength {
  /** From 0, which is guessed at once, to 4. */
  readonly score: 0 | 1 | 2 | 3 | 4
  readonly label: string
  readonly advice?: string
  /** Whether fewer than a million guesses find it, which takes minutes. The vault refuses it as its first passphrase. */
  readonly isRefused: boolean
}

const LABELS = ['Too weak', 'Too weak', 'Weak', 'Good', 'Strong'] as const
const REFUSED_BELOW = 2

zxcvbnOptions.setOptions({ dictionary, graphs: adjacencyGraphs })

/** Estimates how hard a passphrase is to guess, from the words, names, dates, keyboard rows and repetitions in it. */
export function estimateStrength(passphrase: string): PassphraseStrength {
  const { score } = zxcvbn(passphrase)
  const isRefused = score < REFUSED_BELOW
  return { score, label: LABELS[score], isRefused, advice: adviceFor(score, isRefused) }
}

function adviceFor(score: number, isRefused: boolean): string | undefined {
  if (isRefused) {
    return 'This passphrase can be guessed within minutes. Use at least four random words, or 12 random letters and digits.'
  }
  if (score > 2) return undefined
  return 'Someone who gets hold of your encrypted files could guess this passphrase. Four random words are much safer.'
}
