// "See More" adds 5 documents, "Show Less" resets. Without scripts all are visible.
for (const books of document.querySelectorAll<HTMLElement>('.teacher-books')) {
  const step = Number(books.dataset.step)
  const items = [...books.querySelectorAll<HTMLElement>('#books > li')]
  const more = books.querySelector<HTMLElement>('[data-more]')
  const less = books.querySelector<HTMLElement>('[data-less]')
  if (!more?.parentElement || !less) continue
  let shown = step

  const show = (count: number): void => {
    shown = count
    for (const [index, item] of items.entries()) item.hidden = index >= count
    more.hidden = count >= items.length
    less.hidden = count <= step
  }
  more.addEventListener('click', () => {
    const firstNew = items[shown]
    show(shown + step)
    // If the pressed button disappears, move the focus to the first new document.
    if (more.hidden) firstNew?.querySelector('a')?.focus()
  })
  less.addEventListener('click', () => {
    show(step)
    more.focus()
  })
  more.parentElement.hidden = false
  show(step)
}
