// Copies the value beside a button; without scripts the values can be selected and copied by hand.
export {}

/** How long the button confirms that it has copied (ms). */
const CONFIRMED_MS = 3000
const buttons = document.querySelectorAll<HTMLButtonElement>('[data-copy]')
const announcement = document.querySelector<HTMLElement>('[data-said]')

for (const button of buttons) {
  const text = button.textContent
  button.hidden = false
  button.addEventListener('click', async () => {
    const { copy = '', copied = '' } = button.dataset
    try {
      await navigator.clipboard.writeText(copy)
    } catch {
      return
    }
    button.textContent = copied
    if (announcement) announcement.textContent = copied
    setTimeout(() => {
      button.textContent = text
      if (announcement) announcement.textContent = ''
    }, CONFIRMED_MS)
  })
}
