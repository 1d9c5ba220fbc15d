// The map comes from another company, so nothing of it is loaded before the tap.
export {}

const picture = document.querySelector<HTMLAnchorElement>('[data-map]')
picture?.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  const frame = document.createElement('iframe')
  frame.className = 'map__frame'
  frame.title = picture.dataset.title ?? ''
  frame.referrerPolicy = 'strict-origin'
  frame.src = picture.dataset.map ?? ''
  frame.tabIndex = 0
  const caption = picture.nextElementSibling as HTMLElement | null
  if (caption) caption.textContent = caption.dataset.shown ?? ''
  picture.replaceWith(frame)
  frame.focus()
})
