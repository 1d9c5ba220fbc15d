type Entry = readonly [field: HTMLInputElement, text: string, isTicked: boolean]

/** Keeps what a visitor enters into an island before React is there, which would set it back. */
export function keepEntries(island: HTMLElement) {
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
    /** The entries of now, once no keyboard composes a text: replaced meanwhile, it would come twice. */
    async read(): Promise<readonly Entry[]> {
      if (isComposing) {
        await new Promise((end) => island.addEventListener('compositionend', end, { once: true }))
      }
      return [...fields].map((field) => [field, field.value, field.checked])
    },
    stop() {
      island.removeEventListener('input', onInput, true)
      island.removeEventListener('compositionend', onComposed, true)
    },
  }
}

/** Makes React see an entry from before it came: it compares with the last that it has set. */
export function enterAgain([field, text, isTicked]: Entry): void {
  if (/checkbox|radio/.test(field.type)) {
    field.checked = !isTicked
    field.click()
    return
  }
  const { selectionStart, selectionEnd } = field
  field.value = ''
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, text)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
  const hasCursor = selectionStart != null && field === document.activeElement
  if (hasCursor) field.setSelectionRange(selectionStart, selectionEnd)
}
