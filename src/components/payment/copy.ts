// Copies what a button names; without it the texts can be marked and copied by hand.
export {}

const SAID_MS = 3000
const buttons = document.querySelectorAll<HTMLButtonElement>('[data-copy]')
const said = document.querySelector<HTMLElement>('[data-said]')

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
    if (said) said.textContent = copied
    setTimeout(() => {
      button.textContent = text
      if (said) said.textContent = ''
    }, SAID_MS)
  })
}
