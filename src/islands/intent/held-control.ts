/**
 * The control whose default action has to wait for its island; none if the browser may act at once.
 */
export const heldControl = (target: Element, event: Event): Element | null | undefined => {
  if (event.type === 'submit') return target
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event as MouseEvent
  if (button || ctrlKey || metaKey || shiftKey || altKey) return
  const control = target.closest('button,input,label,[role],a[href],summary')
  // A plain link navigates at once, and a summary opens without any script.
  return control?.matches('a:not([role]),summary') ? null : control
}
