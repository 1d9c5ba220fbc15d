import { type RefObject, useEffect } from 'react'
import type { Drafts } from '../../stores/shared/drafts.ts'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const CONTROLS = 'textarea[name], select[name], input[name]'
/** Never kept, like the fields that are secret by their name (`rules/drafts.ts`). */
const NEVER = /^(password|file|hidden|checkbox|radio)$/

/**
 * Keeps what is typed into the fields of an element over a log-in on the way, until it is closed or
 * `form` is forgotten. `nameOf` names the form, by what the element shows when it opens.
 */
export function useDraft(
  drafts: Drafts,
  element: RefObject<HTMLElement | null>,
  nameOf: (element: HTMLElement) => string,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form opens
  useEffect(() => {
    const { current } = element
    if (!current) return
    const name = nameOf(current)
    const kept = drafts.read(name)
    for (const control of controlsOf(current)) {
      const text = kept?.[control.name]
      if (text !== undefined) enter(control, text)
    }
    const keep = () => {
      const typed = controlsOf(current).map((control) => [control.name, control.value])
      drafts.keep(name, Object.fromEntries(typed))
    }
    current.addEventListener('input', keep)
    return () => {
      current.removeEventListener('input', keep)
      drafts.close(name)
    }
  }, [])
}

const controlsOf = (element: HTMLElement): Control[] =>
  [...element.querySelectorAll<Control>(CONTROLS)].filter(
    ({ type, autocomplete }) => !NEVER.test(type) && autocomplete !== 'one-time-code',
  )

/** Changes a control, whether or not React controls it: React compares with the value that it set. */
function enter(control: Control, text: string): void {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, text)
  for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }))
}
