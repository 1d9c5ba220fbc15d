import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { IconButton } from './Icon.tsx'

interface Props {
  title: ReactNode
  closeText: string
  onClose: () => void
  /** Keeps the dialog open while something runs that cannot be cancelled. */
  isBusy?: boolean
  isWide?: boolean
  /** The buttons at the end. */
  foot?: ReactNode
  children: ReactNode
}

/**
 * A modal that is open as long as it is rendered. The native `<dialog>`
 * traps the focus and restores it afterwards; Escape, the backdrop and the close button all close
 * it.
 */
export function Dialog({ title, closeText, onClose, isBusy, isWide, foot, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useLayoutEffect(() => {
    const element = dialog.current
    if (!element) return
    element.showModal()
    // Close before removal, or the focus would not be restored.
    return () => element.close()
  }, [])

  const close = () => {
    if (!isBusy) onClose()
  }
  const closeOnBackdrop = (event: MouseEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && isOutside(event)) close()
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape and the close button
    <dialog
      ref={dialog}
      className={isWide ? 'dialog dialog--wide' : 'dialog'}
      aria-labelledby={titleId}
      onClick={closeOnBackdrop}
      onCancel={(event) => {
        // The event also bubbles up from file inputs and dialogs inside.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        close()
      }}
      onClose={close}
    >
      <div className="dialog__head">
        <h2 id={titleId}>{title}</h2>
        <IconButton icon="close" label={closeText} onClick={close} />
      </div>
      <div className="dialog__body">{children}</div>
      {foot && <div className="dialog__foot">{foot}</div>}
    </dialog>
  )
}

// A click on the dialog's padding has the same target as one on the backdrop.
function isOutside({ clientX, clientY, currentTarget }: MouseEvent): boolean {
  const box = currentTarget.getBoundingClientRect()
  const isAcross = clientX < box.left || clientX > box.right
  return isAcross || clientY < box.top || clientY > box.bottom
}
