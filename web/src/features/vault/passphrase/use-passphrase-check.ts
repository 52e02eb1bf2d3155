import { useEffect, useState } from 'react'
import { checkPassphrase, type PassphraseCheck } from './check-passphrase.ts'
import { usePassphrase } from './passphrase.ts'

/** Whoever is still typing is left alone. */
const PAUSE = 800

/** How the passphrase in the field relates to the vault; undefined until that is known. */
export function usePassphraseCheck(): PassphraseCheck | undefined {
  const passphrase = usePassphrase()
  const [judged, setJudged] = useState<{ readonly passphrase: string; readonly judgement: PassphraseCheck }>()

  useEffect(() => {
    if (passphrase === '') return
    const controller = new AbortController()
    const { signal } = controller
    const judge = async () => {
      const judgement = await checkPassphrase(passphrase, signal)
      if (!signal.aborted) setJudged({ passphrase, judgement })
    }
    const timer = setTimeout(() => void judge().catch(() => undefined), PAUSE)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [passphrase])

  return judged?.passphrase === passphrase ? judged.judgement : undefined
}
