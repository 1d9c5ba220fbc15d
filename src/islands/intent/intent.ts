import type { ClientDirective } from 'astro'
import { DRAFT_PREFIX } from '../../rules/storage-keys.ts'

const TOUCHES = ['pointerover', 'pointerdown', 'focusin', 'keydown']

/**
 * `client:intent`: hydrates an island at the first pointer, focus or key on it, keeps what was entered
 * and repeats one press; `"on-call"`: also at `callOverlays()`; `"at-once"`: when it is there.
 */
export default ((load, { value }, island) => {
  const entered = keepEntries(island)
  let isAwake = false
  let pressAgain: (() => void) | undefined

  const wake = async () => {
    if (isAwake) return
    isAwake = true
    const hydrate = await load()
    const entries = await entered.read()
    for (const busy of island.querySelectorAll('[aria-busy=true]')) busy.ariaBusy = null
    await hydrate()
    const press = pressAgain
    pressAgain = undefined
    // Where Astro could not load it, which it has reported, the next touch tries again.
    isAwake = !island.hasAttribute('ssr')
    if (!isAwake) return
    entered.stop()
    for (const type of ['click', 'submit']) island.removeEventListener(type, hold, true)
    // React hydrates in slices; such an event makes it finish at once.
    island.firstElementChild?.dispatchEvent(new Event('pointercancel', { bubbles: true }))
    entries.forEach(enterAgain)
    press?.()
  }

  const hold = (event: Event) => {
    const target = event.target as HTMLElement
    // Links, summaries and forms with an address need no script.
    const isForm = target instanceof HTMLFormElement && !target.hasAttribute('action')
    const button = isForm ? (event as SubmitEvent).submitter : target.closest('[type=button]')
    if (!button) return
    event.preventDefault()
    button.ariaBusy = 'true'
    pressAgain = () => (isForm ? target.requestSubmit() : target.click())
    void wake()
  }

  for (const type of TOUCHES) island.addEventListener(type, wake)
  for (const type of ['click', 'submit']) island.addEventListener(type, hold, true)
  if (value === 'on-call') document.addEventListener('karras:wake', wake)
  if (value === 'at-once' || hasDraft()) void wake()
}) satisfies ClientDirective

/** Whether the visitor comes back to words that a form of this page has kept. */
function hasDraft(): boolean {
  try {
    const begin = DRAFT_PREFIX + location.pathname
    return Object.keys(sessionStorage).some((key) => key.startsWith(begin))
  } catch {
    return false // storage is forbidden
  }
}

interface Entry {
  readonly field: HTMLInputElement
  readonly text: string
  readonly isTicked: boolean
  /** Where the cursor is: the field of an earlier entry makes React set this one back. */
  readonly cursor: readonly [start: number | null, end: number | null]
}

/** Keeps what a visitor enters into an island before React is there, which would set it back. */
function keepEntries(island: HTMLElement) {
  const fields = new Set<HTMLInputElement>()
  let isComposing = false

  const onInput = (event: Event) => {
    fields.add(event.target as HTMLInputElement)
    isComposing = (event as InputEvent).isComposing
  }
  const onComposed = () => {
    isComposing = false
  }
  island.addEventListener('input', onInput, true)
  island.addEventListener('compositionend', onComposed, true)

  return {
    /** The current entries, once no keyboard composes a text: replaced meanwhile, it would come twice. */
    async read(): Promise<readonly Entry[]> {
      if (isComposing) {
        await new Promise((end) => island.addEventListener('compositionend', end, { once: true }))
      }
      return [...fields].map((field) => ({
        field,
        text: field.value,
        isTicked: field.checked,
        cursor: [field.selectionStart, field.selectionEnd],
      }))
    },
    stop() {
      island.removeEventListener('input', onInput, true)
      island.removeEventListener('compositionend', onComposed, true)
    },
  }
}

/** Makes React see an entry from before it came: it compares with the last that it has set. */
function enterAgain({ field, text, isTicked, cursor }: Entry): void {
  if (field.type === 'radio' && !isTicked) return
  if (/checkbox|radio/.test(field.type)) {
    field.checked = !isTicked
    field.click()
    return
  }
  field.value = ''
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  if (cursor[0] != null && field === document.activeElement) field.setSelectionRange(...cursor)
}
