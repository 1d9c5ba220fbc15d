import type { ClientDirective } from 'astro'

const TOUCHES = ['pointerover', 'pointerdown', 'focusin', 'keydown']
const ANSWERS = ['click', 'submit', 'input']

/**
 * `client:intent`: hydrates an island at the first pointer, focus or key on it, keeps what was entered
 * and repeats one press; `"on-call"`: also at `callOverlays()`; `"at-once"`: when it is there.
 */
export default ((load, { value }, island) => {
  let isAwake = false
  let isComposing = false
  let pressAgain: (() => void) | undefined
  const entered = new Set<HTMLInputElement>()

  const wake = async () => {
    if (isAwake) return
    isAwake = true
    const hydrate = await load()
    // A text that is replaced while a keyboard composes it comes twice.
    if (isComposing) {
      await new Promise((end) => island.addEventListener('compositionend', end, { once: true }))
    }
    const entries = [...entered].map((field) => [field, field.value, field.checked] as const)
    for (const busy of island.querySelectorAll('[aria-busy=true]')) busy.ariaBusy = null
    await hydrate()
    // Where Astro could not load it, which it has reported, the next touch tries again; a press of
    // before would come as a surprise then.
    isAwake = !island.hasAttribute('ssr')
    if (!isAwake) {
      pressAgain = undefined
      return
    }
    for (const type of ANSWERS) island.removeEventListener(type, keep, true)
    // React hydrates in slices; such an event makes it finish at once.
    island.firstElementChild?.dispatchEvent(new Event('pointercancel', { bubbles: true }))
    for (const [field, text, isTicked] of entries) enterAgain(field, text, isTicked)
    pressAgain?.()
  }

  const keep = (event: Event) => {
    const target = event.target as HTMLElement
    if (event.type === 'input') {
      entered.add(target as HTMLInputElement)
      isComposing = (event as InputEvent).isComposing
    }
    // Links, summaries and forms with an address need no script.
    const isForm = target instanceof HTMLFormElement && !target.hasAttribute('action')
    const button = isForm ? (event as SubmitEvent).submitter : target.closest('[type=button]')
    if (event.type === 'input' || !button) return
    event.preventDefault()
    button.ariaBusy = 'true'
    pressAgain = () => (isForm ? target.requestSubmit() : target.click())
    void wake()
  }

  for (const type of TOUCHES) island.addEventListener(type, wake)
  island.addEventListener('compositionend', () => {
    isComposing = false
  })
  for (const type of ANSWERS) island.addEventListener(type, keep, true)
  if (value === 'on-call') document.addEventListener('karras:wake', wake)
  if (value === 'at-once') void wake()
}) satisfies ClientDirective

/** Makes React see what was entered before it came: it compares with the last that it has set. */
function enterAgain(field: HTMLInputElement, text: string, isTicked: boolean): void {
  if (/checkbox|radio/.test(field.type)) {
    field.checked = !isTicked
    field.click()
  } else {
    const { selectionStart, selectionEnd } = field
    field.value = ''
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
    const isHere = selectionStart != null && field === document.activeElement
    if (isHere) field.setSelectionRange(selectionStart, selectionEnd)
  }
}
