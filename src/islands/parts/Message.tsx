import { type ReactNode, useEffect, useRef } from 'react'

const KINDS = {
  error: { className: 'alert alert--error', role: 'alert' },
  /** An error in one line, beside a field or a button. */
  line: { className: 'field__error', role: 'alert' },
  note: { className: 'alert', role: 'status' },
  success: { className: 'alert alert--success', role: 'status' },
} as const

interface MessageProps {
  kind: keyof typeof KINDS
  id?: string
  text?: string | undefined
  children?: ReactNode
}

/**
 * Says what became of an action, in the form or section of its control. It comes into view,
 * screen readers announce it, and it takes the focus of a control that is gone.
 */
export function Message({ kind, id, text, children }: MessageProps) {
  return (
    <div {...KINDS[kind]} id={id} ref={useSaid(text)}>
      {text}
      {children}
    </div>
  )
}

export const ErrorAlert = (props: Omit<MessageProps, 'kind'>) => <Message kind="error" {...props} />

/** The element that was pressed or had the focus last, on this page; Safari does not focus pressed buttons. */
let lastUsed: EventTarget | null = null
if (typeof document !== 'undefined') {
  // A click too: the press that loaded this script comes again as one. React answers before it bubbles.
  for (const type of ['focusin', 'pointerdown', 'click']) {
    const note = ({ target }: Event) => {
      lastUsed = target
    }
    document.addEventListener(type, note, true)
  }
}

/**
 * The ref of what answers an action: it is brought into view when it appears or `text` changes, and
 * gets the focus if the control that had it is gone. A message that is there when a page opens stays in place.
 */
export function useSaid<E extends HTMLElement = HTMLDivElement>(text: string | undefined) {
  const element = useRef<E>(null)
  useEffect(() => {
    const { current } = element
    if (!current || text === '' || !lastUsed) return
    // Some browsers return a promise, which is no clean-up.
    void current.scrollIntoView({ block: 'nearest' })
    const keepFocus = () => {
      const isGone = lastUsed instanceof Node && !lastUsed.isConnected
      if (!isGone || document.activeElement !== document.body) return
      current.tabIndex = -1
      current.focus({ preventScroll: true })
    }
    keepFocus()
    // The control may go later: with its dialog, or once the page shows what has changed.
    const changes = new MutationObserver(keepFocus)
    changes.observe(document.body, { childList: true, subtree: true })
    return () => changes.disconnect()
  }, [text])
  return element
}
