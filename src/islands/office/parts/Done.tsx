import { useCallback, useEffect, useRef, useState } from 'react'

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

/** A success message that scrolls into view and is announced; invisible if `text` is ''. */
export function Done({ text }: { text: string }) {
  const element = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // The pressed button may be many rows further down.
    if (text) element.current?.scrollIntoView({ block: 'nearest' })
  }, [text])
  return (
    <p ref={element} className={text ? 'alert alert--success' : 'visually-hidden'} role="status">
      {text}
    </p>
  )
}
