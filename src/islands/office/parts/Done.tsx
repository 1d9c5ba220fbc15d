import { useCallback, useState } from 'react'
import { useSaid } from '../../parts/Message.tsx'

const NO_WIDTH = '\u200b'

/**
 * The text for `Done`, and its setter. Screen readers announce only changed texts, so the setter
 * appends a zero-width character to a repeated text.
 */
export function useDone(): [text: string, setText: (text: string) => void] {
  const [done, setDone] = useState('')
  const setText = useCallback(
    (text: string) => setDone((last) => (text && text === last ? text + NO_WIDTH : text)),
    [],
  )
  return [done, setText]
}

/** A message of success, in a region that is there before it; invisible if `text` is ''. */
export function Done({ text }: { text: string }) {
  const said = useSaid<HTMLParagraphElement>(text)
  return (
    <p ref={said} className={text ? 'alert alert--success' : 'visually-hidden'} role="status">
      {text}
    </p>
  )
}
