import type { ClientDirective } from 'astro'

type Field = HTMLInputElement | HTMLTextAreaElement

const TOUCHES = ['pointerover', 'pointerdown', 'focusin', 'keydown']
const ANSWERS = ['click', 'submit', 'input']
/** Controls that do nothing without the island's script, unlike links, summaries and fields. */
const NEEDS_SCRIPT = 'button:not([type=submit]), label, [type=radio], [type=checkbox]'

/**
 * `client:intent` hydrates an island at the first touch of it, by pointer, focus or key; what was
 * typed meanwhile stays, and one press is repeated. With `"on-call"` the island also wakes when the
 * page calls it (`stores/shared/overlays.ts`), with `"at-once"` when it is there.
 */
const intent: ClientDirective = (load, { value }, island) => {
  let isAwake = false
  let pressAgain: (() => void) | undefined
  const typed = new Map<Field, string>()

  const wake = async () => {
    if (isAwake) return
    isAwake = true
    await (await load())()
    // Where Astro could not load it, which it has reported, the next touch tries again.
    isAwake = !island.hasAttribute('ssr')
    if (isAwake) for (const type of ANSWERS) island.removeEventListener(type, keep, true)
    // React hydrates in slices; such an event makes it finish at once.
    island.firstElementChild?.dispatchEvent(new Event('pointercancel', { bubbles: true }))
    for (const [field, text] of typed) typeAgain(field, text)
    for (const busy of island.querySelectorAll('[aria-busy=true]')) busy.ariaBusy = null
    if (isAwake) pressAgain?.()
    pressAgain = undefined
  }

  const keep = (event: Event) => {
    const target = event.target as HTMLElement
    const isForm = target instanceof HTMLFormElement
    const control = isForm ? (event as SubmitEvent).submitter : target.closest(NEEDS_SCRIPT)
    if (event.type === 'input' && !control) typed.set(target as Field, (target as Field).value)
    if (event.type === 'input' || !control || target.hasAttribute('action')) return
    event.preventDefault()
    control.ariaBusy = 'true'
    pressAgain = () => (isForm ? target.requestSubmit() : target.click())
    void wake()
  }

  for (const type of TOUCHES) island.addEventListener(type, wake)
  for (const type of ANSWERS) island.addEventListener(type, keep, true)
  if (value === 'on-call') document.addEventListener('karras:wake', wake)
  if (value === 'at-once') void wake()
}

/** Makes React see a text that was typed before it came: it compares with the last that it set. */
function typeAgain(field: Field, text: string): void {
  field.value = ''
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

export default intent
