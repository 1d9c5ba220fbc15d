import './finder.css'
import { type ComponentType, useEffect, useState } from 'react'
import { Icon } from '../../islands/parts/Icon.tsx'
import { useTexts } from '../../islands/parts/island.tsx'
import { Message } from '../../islands/parts/Message.tsx'
import type { FinderProps } from './FinderDialog.tsx'

/** The search over everything, which `/` and Ctrl+K open; its dialog is loaded then. */
export function Finder() {
  const { open, failed } = useTexts('office:search')
  const [Dialog, setDialog] = useState<ComponentType<FinderProps>>()
  const [state, setState] = useState<'closed' | 'open' | 'failed'>('closed')
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isShortcut(event) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      openFinder()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
  const openFinder = () => {
    // Once it is loaded it opens within the press, so that what is typed next is typed into it.
    setState('open')
    if (Dialog) return
    import('./FinderDialog.tsx').then(
      ({ FinderDialog }) => setDialog(() => FinderDialog),
      () => setState('failed'),
    )
  }
  return (
    <>
      <button
        type="button"
        className="icon-button finder-open"
        aria-label={open}
        aria-keyshortcuts="/ Control+K"
        onClick={openFinder}
      >
        <Icon name="search" />
        <span>{open}</span>
        <kbd>/</kbd>
      </button>
      {state === 'failed' && <Message kind="line" text={failed} />}
      {state === 'open' && Dialog && <Dialog title={open} onClose={() => setState('closed')} />}
    </>
  )
}

/** Ctrl+K by its place on the keyboard, since Arabic ones give another letter. */
function isShortcut({ key, code, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey) return code === 'KeyK'
  const isTyping =
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  return key === '/' && !isTyping
}
